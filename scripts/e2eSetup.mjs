import { installBrowser } from './host/installBrowser.mjs';
import { installHost } from './host/installHost.mjs';

/**
 * Runs once before the end-to-end tests: what they drive is there, and they are told where.
 * @param {import('vitest/node').TestProject} project
 */
export async function setup(project) {
  const { node, codeServer } = await installHost('full');
  project.provide('host', { node, codeServer });
  project.provide('chrome', await installBrowser());
}
