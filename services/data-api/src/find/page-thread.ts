/** A thread that reads the facts of pages: the program of `page-reader.ts`. */
import { readCompanyPage } from '@vcds/site-facts/page';
import { serveRequests } from '../threads/serve-requests.ts';

serveRequests(null, readCompanyPage);
