import { createHash } from 'node:crypto'
import { dirname, resolve } from 'node:path'
import { type CarrierKind, type SimCycle, simCycles } from '@busbar/contract'
import { z } from 'zod'
import { type Config, ConfigError, isLocalName, readSecretFile } from '../../../config.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { Carrier } from './carrier.ts'
import { CarrierCalls } from './carrier-calls.ts'
import { openControlCenter, type SignedCarrier } from './control-center.ts'
import { openGsl } from './gsl.ts'
import { openOneNce } from './one-nce.ts'
import { openSimulator, simulatorFaults } from './simulator.ts'

/** An account at a carrier, as the operator named it. */
export interface CarrierAccount {
  readonly name: string
  readonly kind: CarrierKind
  /** When the months of its plans begin. */
  readonly cycle: SimCycle
  /** Where the carrier is asked, and as whom; empty for the simulator. */
  readonly url: string
  readonly user: string
  /** The last four characters of the secret, for operators; empty where they would be too large a part of it. */
  readonly secretEnd: string
  readonly carrier: Carrier
  readonly calls: CarrierCalls
}

const setting = 'SIM_ACCOUNTS_FILE'
const accountsMax = 100
const shownSecretUnitsMin = 12

const account = {
  name: z.string().regex(/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,31}$/u, '1 to 32 letters, digits and . _ -'),
  cycle: z.enum(simCycles).default('calendar'),
}
const address = z
  .url({ protocol: /^https?$/ })
  .refine((text) => {
    const { protocol, hostname } = new URL(text)
    return protocol === 'https:' || isLocalName(hostname)
  }, 'https://, because the secret travels with each call')
  .refine((text) => {
    const { href, origin } = new URL(text)
    return href === `${origin}/`
  }, 'https://host, without user, path or query')
const signed = {
  ...account,
  user: z.string().regex(/^[^\p{C}:]{1,128}$/u, 'a name without a colon'),
  secretFile: z.string().min(1),
}
const entry = z.discriminatedUnion('carrier', [
  z.strictObject({ carrier: z.literal('controlCenter'), ...signed, url: address }),
  z.strictObject({
    carrier: z.literal('1nce'),
    ...signed,
    url: address.default('https://api.1nce.com'),
  }),
  z.strictObject({
    carrier: z.literal('gsl'),
    ...signed,
    url: address.default('https://gsl.cn-north-4.myhuaweicloud.com'),
  }),
  z.strictObject({
    carrier: z.literal('simulator'),
    ...account,
    fault: z.enum(simulatorFaults).optional(),
  }),
])
type Entry = z.output<typeof entry>
type SignedEntry = Exclude<Entry, { carrier: 'simulator' }>
const entries = z.array(entry).max(accountsMax)

const openers: Readonly<Record<SignedEntry['carrier'], (signed: SignedCarrier) => Carrier>> = {
  controlCenter: openControlCenter,
  '1nce': openOneNce,
  gsl: openGsl,
}

/**
 * The accounts of the operator’s file, and a simulator in the demo. Accounts of one user at one carrier share its limits
 * and its token.
 * @throws ConfigError
 */
export function openCarriers({
  config,
  rateCounters,
  now,
}: Pick<Kernel, 'config' | 'rateCounters' | 'now'>): readonly CarrierAccount[] {
  const file = config[setting]
  const read = file === undefined ? [] : readEntries(file)
  const opened = new Map<string, Pick<CarrierAccount, 'carrier' | 'calls'>>()
  const open = (identity: readonly string[], create: () => Carrier) => {
    const key = createHash('sha256').update(JSON.stringify(identity)).digest('base64url')
    const found = opened.get(key)
    if (found) return found
    const carrier = create()
    const calls = new CarrierCalls({ key, limits: carrier.limits, counters: rateCounters, now })
    opened.set(key, { carrier, calls })
    return { carrier, calls }
  }
  return [...read, ...demoEntries(config, read)].map((found): CarrierAccount => {
    const { name, carrier: kind, cycle } = found
    if (kind === 'simulator') {
      const { fault } = found
      const create = () => openSimulator({ now, cycle, fault: () => fault })
      return { name, kind, cycle, url: '', user: '', secretEnd: '', ...open([kind, name], create) }
    }
    const { url, user } = found
    const secret = readSecret(found, file ?? '')
    return {
      ...{ name, kind, cycle, url, user },
      secretEnd: secret.length < shownSecretUnitsMin ? '' : secret.slice(-4),
      ...open([kind, url, user], () => openers[kind]({ url, user, secret, now })),
    }
  })
}

function demoEntries({ BUSBAR_DEMO }: Config, read: readonly Entry[]): readonly Entry[] {
  const name = 'simulator'
  const isNamed = read.some((other) => other.name === name)
  return BUSBAR_DEMO && !isNamed ? [{ carrier: 'simulator', name, cycle: 'calendar' }] : []
}

function readEntries(file: string): readonly Entry[] {
  const text = readSecretFile(setting, file)
  const result = entries.safeParse(parseJson(text, file))
  if (!result.success) {
    const problems = result.error.issues.map(({ path, message }) => `${describe(path)}${message}`)
    throw new ConfigError(problems.map((problem) => `${setting}: ${problem}`).join('\n'))
  }
  const names = result.data.map(({ name }) => name)
  const repeated = names.find((name, at) => names.indexOf(name) !== at)
  if (repeated !== undefined) throw new ConfigError(`${setting}: two accounts have the name ${repeated}`)
  return result.data
}

/** `account 2, secretFile: ` */
function describe([index, ...field]: readonly PropertyKey[]): string {
  const parts = [...(typeof index === 'number' ? [`account ${index + 1}`] : []), field.join('.')]
  const place = parts.filter(Boolean).join(', ')
  return place && `${place}: `
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The reason quotes the file.
    throw new ConfigError(`${setting}: ${file} is not JSON`)
  }
}

function readSecret({ name, secretFile }: SignedEntry, accountsFile: string): string {
  const secret = readSecretFile(`${setting}, ${name}`, resolve(dirname(accountsFile), secretFile))
  if (secret === '') throw new ConfigError(`${setting}, ${name}: ${secretFile} is empty`)
  return secret
}
