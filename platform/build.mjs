import { dirname, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

const folder = fileURLToPath(new URL('.', import.meta.url))
const output = fileURLToPath(new URL('dist/', import.meta.url))

/** Parts of libraries that may be missing; the libraries try them and go on without them. */
const optionalModules = ['pg-native', 'bufferutil', 'utf-8-validate']

/** A file or folder as an address relative to the built files, which all lie in one folder. @param {string} path */
const addressOf = (path) => JSON.stringify(relative(output, path))

/**
 * Pictures, migrations, workers and packages that are read when they are needed stay where they are, beside the
 * sources: a module of the built program looks for them from its source's place.
 * @type {import('rolldown').Plugin}
 */
const placesOfSources = {
  name: 'places-of-sources',
  transform: {
    filter: { id: /platform\/src\/.*\.ts$/, code: /\bimport\.meta\.(dirname|url)\b/ },
    handler: (code, id) =>
      "import { fileURLToPath as pathOfAddress } from 'node:url'\n" +
      code
        .replaceAll(/\bimport\.meta\.url\b/g, `new URL(${addressOf(id)}, import.meta.url).href`)
        .replaceAll(
          /\bimport\.meta\.dirname\b/g,
          `pathOfAddress(new URL(${addressOf(dirname(id))}, import.meta.url))`,
        ),
  },
}

/**
 * Builds the platform into `main.mjs` and the files that it loads on demand. They work from `platform/dist`, with the
 * sources and the packages in their places.
 * @param {string} [dir] the folder to write to
 */
export async function buildPlatform(dir = output) {
  await build({
    input: { main: fileURLToPath(new URL('src/main.ts', import.meta.url)) },
    cwd: folder,
    platform: 'node',
    logLevel: 'warn',
    external: optionalModules,
    plugins: [placesOfSources],
    // Names and lines stay readable in the stack of an error.
    output: {
      dir,
      format: 'esm',
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name]-[hash].mjs',
      keepNames: true,
    },
  })
}
