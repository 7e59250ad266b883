import { installBrowser } from './host/installBrowser.mjs';

/** Runs once before the panels' tests: the browser that they drive is there, and they are told where. */
export async function setup() {
  process.env.CHROME = await installBrowser();
}
