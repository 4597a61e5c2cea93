import { isLoopback, isPrivate } from './interfaces.ts'
import type { Lang, Mode } from './model.ts'

/** The program's command line. */
export type Command =
  | { readonly name: 'help' | 'version' | 'status' | 'logout' }
  | { readonly name: 'login'; readonly server: string | undefined }
  | { readonly name: 'list'; readonly search: string }
  | {
      readonly name: 'open'
      readonly machine: string
      /** `NAME` or `NAME:LOCALPORT`, as typed: a name may have a colon too. */
      readonly ports: readonly string[]
      readonly mode: Mode | undefined
      /** Of this computer, or a private one to add to it. */
      readonly address: string
    }

export interface Arguments {
  readonly command: Command
  readonly lang: Lang | undefined
  readonly json: boolean
}

export type ArgumentFault =
  | 'unknownOption'
  | 'unknownCommand'
  | 'missingValue'
  | 'wrongLang'
  | 'wrongMode'
  | 'openNeeds'
  | 'tooMany'
  | 'wrongAddress'

/** A command line that cannot be carried out; `about` is the part that is wrong. */
export class ArgumentError extends Error {
  readonly fault: ArgumentFault
  readonly about: string

  constructor(fault: ArgumentFault, about = '') {
    super(`${fault} ${about}`)
    this.fault = fault
    this.about = about
  }
}

const valued = ['--server', '--lang', '--mode', '--address'] as const
const plain = ['--json', '--help', '-h', '--version'] as const

/** @throws ArgumentError */
export function parseArguments(given: readonly string[]): Arguments {
  const { options, words } = split(given)
  const lang = options.get('--lang')
  if (lang !== undefined && lang !== 'cn' && lang !== 'en') throw new ArgumentError('wrongLang', lang)
  return { command: commandOf(words, options), lang, json: options.has('--json') }
}

/** The language of a command line that may be wrong. */
export function readLang(given: readonly string[]): Lang | undefined {
  const at = given.indexOf('--lang')
  const value = at < 0 ? given.find((word) => word.startsWith('--lang='))?.slice(7) : given[at + 1]
  return value === 'cn' || value === 'en' ? value : undefined
}

function split(given: readonly string[]): { options: Map<string, string>; words: string[] } {
  const options = new Map<string, string>()
  const words: string[] = []
  const rest = [...given]
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (!word.startsWith('-')) {
      words.push(word)
      continue
    }
    const [name = '', ...values] = word.split('=')
    if (plain.some((option) => option === word)) options.set(word, '')
    else if (!valued.some((option) => option === name)) throw new ArgumentError('unknownOption', name)
    else {
      const value = values.length > 0 ? values.join('=') : rest.shift()
      if (!value) throw new ArgumentError('missingValue', name)
      options.set(name, value)
    }
  }
  return { options, words }
}

function commandOf(words: readonly string[], options: ReadonlyMap<string, string>): Command {
  const [name, ...rest] = words
  if (options.has('--version')) return { name: 'version' }
  if (options.has('--help') || options.has('-h') || name === undefined || name === 'help')
    return { name: 'help' }
  const atMost = (count: number): void => {
    const extra = rest[count]
    if (extra !== undefined) throw new ArgumentError('tooMany', extra)
  }
  if (name === 'login') {
    atMost(0)
    return { name, server: options.get('--server') }
  }
  if (name === 'list') {
    atMost(1)
    return { name, search: rest[0] ?? '' }
  }
  if (name === 'status' || name === 'logout') {
    atMost(0)
    return { name }
  }
  if (name !== 'open') throw new ArgumentError('unknownCommand', name)
  const [machine, ...ports] = rest
  if (machine === undefined || ports.length === 0) throw new ArgumentError('openNeeds')
  const mode = options.get('--mode')
  if (mode !== undefined && mode !== 'ro' && mode !== 'rw') throw new ArgumentError('wrongMode', mode)
  const address = options.get('--address') ?? '127.0.0.1'
  if (!isLoopback(address) && !isPrivate(address)) throw new ArgumentError('wrongAddress', address)
  return { name, machine, ports, mode, address }
}
