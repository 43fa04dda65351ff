import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { defineAsyncComponent } from 'vue';
import PageLayout from './PageLayout.vue';
import './style.css';
import './home/home.css';

const theme: Theme = {
  extends: DefaultTheme,
  Layout: PageLayout,
  enhanceApp: ({ app }) => {
    // Only pages with a picture load what draws it.
    const picture = defineAsyncComponent(() => import('./explore/AnswerPicture.vue'));
    app.component('AnswerPicture', picture);
  },
};
export default theme;
