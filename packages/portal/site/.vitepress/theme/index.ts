import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import PageLayout from './PageLayout.vue';
import './style.css';

const theme: Theme = { extends: DefaultTheme, Layout: PageLayout };
export default theme;
