import { readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import type { Asset } from './asset.ts'
import { createAsset } from './asset.ts'

/**
 * The files of the page, by path. Run from the sources, its script is served module by module without the
 * types, and its style part by part; `build.mjs` replaces this module by one script, one style and the page.
 */
export const pageAssets: ReadonlyMap<string, Asset> = new Map([
  ['index.html', createAsset('html', readStatic('index.html'))],
  ['page.css', createAsset('css', readStatic('page.css'))],
  ...listStatic('style').map((name): [string, Asset] => [
    `style/${name}`,
    createAsset('css', readStatic(`style/${name}`)),
  ]),
  ...listStatic('script').map((name): [string, Asset] => [
    `script/${name}`,
    createAsset('script', stripTypeScriptTypes(readStatic(`script/${name}`))),
  ]),
])

function listStatic(folder: string): string[] {
  return readdirSync(new URL(`static/${folder}/`, import.meta.url))
}

function readStatic(name: string): string {
  return readFileSync(new URL(`static/${name}`, import.meta.url), 'utf8')
}
