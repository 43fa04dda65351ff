import { readDescription } from './description.ts';
import { ASSETS } from './index.ts';
import { authMd, serverJson, skillMd } from './llms/agents.ts';
import { llms, llmsFull } from './llms/index.ts';
import { postmanCollection } from './postman.ts';

/** The files beside the website, by name. */
export function assets(): ReadonlyMap<string, string> {
  return new Map([
    [ASSETS.dataApi, descriptionText('data-api')],
    [ASSETS.accessApi, descriptionText('access-api')],
    [ASSETS.postman, JSON.stringify(postmanCollection())],
    [ASSETS.llms, llms()],
    [ASSETS.llmsFull, llmsFull()],
    [ASSETS.server, serverJson(JSON.parse(readDescription('data-api').text).info.version)],
    [ASSETS.auth, authMd()],
    [ASSETS.skill, skillMd()],
  ]);
}

// Without the indentation, which is a third of the file.
function descriptionText(name: string): string {
  return JSON.stringify(JSON.parse(readDescription(name).text));
}
