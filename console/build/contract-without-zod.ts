import { fileURLToPath } from 'node:url'
import * as contract from '@busbar/contract'
import type { Plugin } from 'vite'

const virtualId = '\0contract-without-zod'

/** Files of the contract that need no zod at run time; the console gets them as they are. */
const plainFiles = ['client', 'errors', 'limits', 'text'] as const

/**
 * Gives the console the contract without its schemas. A route is checked on the platform; the console's client
 * needs only its method and path, its types come from the source. That keeps zod (about 60 kB of script) out of
 * every page. Nouns keep their routes, reduced, and their plain constants.
 */
export function contractWithoutZod(): Plugin {
  return {
    name: 'contract-without-zod',
    enforce: 'pre',
    resolveId: (id) => (id === '@busbar/contract' ? virtualId : null),
    load: (id) => (id === virtualId ? source() : null),
  }
}

function source(): string {
  const plain = plainFiles.map((name) => {
    const path = fileURLToPath(import.meta.resolve(`@busbar/contract`)).replace(/index\.ts$/, `${name}.ts`)
    return `export * from ${JSON.stringify(path)}`
  })
  const nouns = Object.entries(contract)
    .filter(([, value]) => isNamespace(value))
    .map(([name, noun]) => `export const ${name} = ${JSON.stringify(reduceNoun(noun as object))}`)
  return [...plain, ...nouns].join('\n')
}

function isNamespace(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && Object.prototype.toString.call(value) === '[object Module]'
  )
}

function reduceNoun(noun: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(noun)
      .filter(([, value]) => typeof value !== 'function')
      .map(([name, value]) => [name, isRoute(value) ? reduceRoute(value) : value]),
  )
}

function isRoute(value: unknown): value is contract.Route {
  return typeof value === 'object' && value !== null && 'path' in value && 'who' in value
}

function reduceRoute({ method, path, bare }: contract.Route) {
  return { method, path, ...(bare ? { bare } : {}) }
}
