import { fileURLToPath } from 'node:url'
import * as contract from '@busbar/contract'
import type { Plugin } from 'vite'

const virtualId = '\0contract-without-zod'
/** Before a noun's name: each noun is a separate module, so that a page loads only the routes it calls. */
const nounPrefix = `${virtualId}/`

/** Files of the contract that need no zod at run time; the console gets them as they are. */
const plainFiles = [
  'accent',
  'alarm-limits',
  'audit-states',
  'board-limits',
  'board-refs',
  'client',
  'code-pattern',
  'csv',
  'decimals',
  'decode-table',
  'errors',
  'export-limits',
  'form-rules',
  'limits',
  'may-call',
  'metres-between',
  'platform-alarms',
  'place-fields',
  'project-limits',
  'read-csv',
  'report-limits',
  'route',
  'sim-fields',
  'sms-segments',
  'table-fault',
  'tag-limits',
  'terminals',
  'text',
  'tile-fields',
  'topic-pattern',
  'site-limits',
  'view-limits',
] as const

/**
 * Gives the console the contract without its schemas. A route is checked on the platform; the console's client
 * needs only its method and path, its types come from the source. That keeps zod (about 60 kB of script) out of
 * every page. Nouns keep their routes, reduced, and their plain constants.
 */
export function contractWithoutZod(): Plugin {
  return {
    name: 'contract-without-zod',
    enforce: 'pre',
    resolveId(id) {
      if (id === '@busbar/contract') return virtualId
      return id.startsWith(nounPrefix) ? id : null
    },
    load(id) {
      if (id === virtualId) return contractSource()
      return id.startsWith(nounPrefix) ? nounSource(id.slice(nounPrefix.length)) : null
    },
  }
}

/** The module the console gets instead of the contract. */
export function contractSource(): string {
  const plain = plainFiles.map((name) => {
    const path = fileURLToPath(import.meta.resolve(`@busbar/contract`)).replace(/index\.ts$/, `${name}.ts`)
    return `export * from ${JSON.stringify(path)}`
  })
  const nouns = [...listNouns().keys()].map(
    (name) => `export { ${name} } from ${JSON.stringify(nounPrefix + name)}`,
  )
  return [...plain, ...nouns, rulesReader].join('\n')
}

/** In place of the contract's own, which reads them from the schemas that are left out here. */
const rulesReader = 'export const rulesOf = (route) => route.rules ?? {}'

/** The module of one noun: its routes, reduced, and its plain constants. */
export function nounSource(name: string): string {
  const noun = listNouns().get(name)
  if (!noun) throw new Error(`the contract has no noun ${name}`)
  return `export const ${name} = ${JSON.stringify(reduceNoun(noun))}`
}

/** The nouns of the contract by their names. */
export function listNouns(): Map<string, object> {
  const named: [string, unknown][] = Object.entries(contract)
  return new Map(named.filter((entry): entry is [string, object] => isNoun(entry[1])))
}

/** A noun's module: what holds routes. */
function isNoun(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.values(value).some(isRoute)
}

function reduceNoun(noun: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(noun)
      .filter(([, value]) => typeof value !== 'function' && !isSchema(value))
      .map(([name, value]) => [name, isRoute(value) ? reduceRoute(value) : value]),
  )
}

/** A schema that other files of the contract use, or fields of one. */
function isSchema(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || isRoute(value)) return false
  return '_zod' in value || Object.values(value).some((field) => typeof field === 'object' && isSchema(field))
}

function isRoute(value: unknown): value is contract.Route {
  return typeof value === 'object' && value !== null && 'path' in value && 'who' in value
}

function reduceRoute(route: contract.Route) {
  const { method, path, who, bare, multipart } = route
  // A page shows a button by the right that its route requires in an enterprise.
  const ent = typeof who === 'object' && 'ent' in who ? { who: { ent: who.ent } } : {}
  const rules = method === 'GET' ? {} : formRulesOf(route)
  return {
    ...{ method, path, ...ent },
    ...(bare ? { bare } : {}),
    ...(multipart ? { multipart } : {}),
    ...(Object.keys(rules).length > 0 ? { rules } : {}),
  }
}

/** Fields that the console fills in, not a person. */
const unwritten =
  /^(page|pageSize|start|firstLine|csv|terminal\w*|token|qrToken|deviceCode|ticket|challenge|\w*[oO]em[iI]d|countryCode|limitAuthority|target|path|testUrl|queue|\w*Url|projectImage|timeZone)$/

/** The rules for typed input, without ids, which are never typed. */
function formRulesOf(route: contract.Route): contract.FormRules {
  return Object.fromEntries(
    Object.entries(contract.rulesOf(route)).filter(
      ([field, { rules }]) =>
        !unwritten.test(field) &&
        rules.some(([name]) => name !== 'required') &&
        !rules.some((rule) => rule[0] === 'numberMax' && rule[1] === contract.limits.idMax),
    ),
  )
}
