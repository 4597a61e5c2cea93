import type { Plugin, Rolldown } from 'vite'

/** The first file of each set; boot.js takes those that this visit needs. */
const sets: Readonly<Record<string, readonly string[]>> = {
  inside: ['src/main/inside.tsx'],
  cn: ['src/shared/i18n/cn/index.ts'],
  en: ['src/shared/i18n/en/index.ts'],
  list: ['src/features/devices/personal-devices-page.tsx'],
}
/** The texts of all screens are set in it. */
const font = 'inter-latin-wght-normal.woff2'

/**
 * Writes into index.html, at boot.js, which files the screens behind a session are made of. A signed-in
 * browser fetches them with the first ones; otherwise each is only known once the one before it ran. The font is
 * written there too, for the screens before a session.
 */
export function preloadInside(): Plugin {
  return {
    name: 'preload-inside',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        if (!bundle) return html
        const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
        const entry = chunks.find(({ isEntry }) => isEntry)
        const known = new Set(entry ? filesOf([entry], bundle) : [])
        const attributes = Object.entries(sets).map(([name, sources]) => {
          const roots = chunks.filter(({ moduleIds }) =>
            sources.some((source) => moduleIds.some((id) => id.endsWith(source))),
          )
          if (roots.length < sources.length) throw new Error(`the build has not all of ${sources}`)
          const files = filesOf(roots, bundle).filter((file) => !known.has(file))
          if (name === 'inside') for (const file of files) known.add(file)
          return `data-${name}="${files.map((file) => `/${file}`).join(' ')}"`
        })
        const fontFile = Object.values(bundle).find(
          (output) => output.type === 'asset' && output.names.includes(font),
        )
        if (!fontFile) throw new Error(`the build has no ${font}`)
        attributes.push(`data-font="/${fontFile.fileName}"`)
        return html.replace('<script src="/boot.js"', `$& ${attributes.join(' ')}`)
      },
    },
  }
}

/** The chunks with everything they import and their styles, each once. */
function filesOf(roots: readonly Rolldown.OutputChunk[], bundle: Rolldown.OutputBundle): string[] {
  const files = new Set<string>()
  const visit = (chunk: Rolldown.OutputChunk) => {
    if (files.has(chunk.fileName)) return
    files.add(chunk.fileName)
    for (const css of chunk.viteMetadata?.importedCss ?? []) files.add(css)
    for (const name of chunk.imports) {
      const next = bundle[name]
      if (next?.type === 'chunk') visit(next)
    }
  }
  for (const root of roots) visit(root)
  return [...files]
}
