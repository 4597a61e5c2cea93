import path from 'node:path'
import type { Plugin } from 'vite'

/** Which file of the build has each of the console's modules, and which files that file needs. */
export interface ListedFiles {
  /** By the path of the module within the console. */
  readonly modules: Readonly<Record<string, string>>
  /** By the file: its styles, and the files that it imports. */
  readonly needs: Readonly<Record<string, readonly string[]>>
}

/** Where it lies in the built console, for `budgets.mjs`. */
const place = '.vite/files.json'

/**
 * Writes down in which files a module and what it needs ended up. Vite's own manifest names a module only if it has a
 * file for itself.
 */
export function listFiles(): Plugin {
  const root = path.join(import.meta.dirname, '..')
  return {
    name: 'list-files',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const modules: Record<string, string> = {}
        const needs: Record<string, string[]> = {}
        for (const chunk of Object.values(bundle)) {
          if (chunk.type !== 'chunk') continue
          needs[chunk.fileName] = [...(chunk.viteMetadata?.importedCss ?? []), ...chunk.imports]
          for (const id of chunk.moduleIds)
            if (id.startsWith(root)) modules[path.relative(root, id)] = chunk.fileName
        }
        const listed: ListedFiles = { modules, needs }
        this.emitFile({ type: 'asset', fileName: place, source: JSON.stringify(listed) })
      },
    },
  }
}
