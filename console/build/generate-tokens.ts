import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

type Tokens = Record<string, string | string[]>

const source = new URL('../src/shared/ui/tokens.json', import.meta.url)
/** The generated stylesheet: every colour as a custom property, in both themes. */
export const tokensCssFile = new URL('../src/shared/ui/tokens.gen.css', import.meta.url)

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

function declarations(tokens: Tokens): string {
  return Object.entries(tokens)
    .flatMap(([name, value]) =>
      Array.isArray(value)
        ? value.map((item, place): [string, string] => [`${kebab(name)}-${place + 1}`, item])
        : [[kebab(name), value] as [string, string]],
    )
    .map(([name, value]) => `  --${name}: ${value.toLowerCase().replaceAll(' .', ' 0.')};\n`)
    .join('')
}

/** The stylesheet's text, from `tokens.json`. */
export function tokensCss(): string {
  const { light, dark } = JSON.parse(readFileSync(source, 'utf8')) as { light: Tokens; dark: Tokens }
  return [
    '/* Generated from tokens.json by build/generate-tokens.ts. */\n',
    `:root {\n  color-scheme: light;\n${declarations(light)}}\n`,
    `[data-theme="dark"] {\n  color-scheme: dark;\n${declarations(dark)}}\n`,
  ].join('')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(tokensCssFile, tokensCss())
