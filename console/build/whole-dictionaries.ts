import type { Plugin } from 'vite'

const dictionary = /shared[\\/]i18n[\\/](cn|en)[\\/]index\.ts$/
/** The texts that the dictionary behind a session has in common with those before one. */
const shared = /^\.\/(outside|joining)\.ts$/
const own = '?inside'

/**
 * The dictionary behind a session is one file: it takes its own copy of the texts that the screens before a session
 * also have. Shared, they would be two more files that the list waits for.
 */
export function wholeDictionaries(): Plugin {
  return {
    name: 'whole-dictionaries',
    apply: 'build',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (!importer?.endsWith(own) && !(importer && dictionary.test(importer) && shared.test(source)))
        return null
      const resolved = await this.resolve(source, importer?.replace(own, ''), { skipSelf: true })
      return resolved?.id.match(/[\\/]i18n[\\/](cn|en)[\\/]/) ? `${resolved.id}${own}` : resolved
    },
  }
}
