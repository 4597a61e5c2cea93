import type { AnswerOf, InputOf, Lang, Program, Route, TerminalType } from '@busbar/contract'
import type { Basic } from './basic.ts'
import type { Brand } from './brand.ts'
import type { BrowserFamily } from './browser-family.ts'
import type { JsonText } from './json-text.ts'

/** The caller, after the check of the session. */
export interface SignedIn {
  readonly userId: number
  readonly sessionId: number
  /** The program whose session it is; undefined for one of a person. */
  readonly program?: Program
}

/** The arguments of a route's function beside its checked input. */
export interface CallContext {
  readonly lang: Lang
  /** The client's address, after TRUSTED_PROXIES. */
  readonly address: string
  /** The browser, by the name of the caller's program. */
  readonly browser: BrowserFamily
  /** The kind of device, by the user agent. */
  readonly terminalType: TerminalType
  /** The host the request was sent to, with its port, after TRUSTED_PROXIES. */
  readonly host: string
  /** The brand of that host. */
  readonly brand: Brand
  /** Epoch milliseconds. */
  readonly now: number
  /** Aborted when the caller's connection closes before the answer: long reading ends with its reason. */
  readonly signal: AbortSignal
  /** A cookie of the request; undefined without one, or with two: one of those was planted. */
  cookie(name: string): string | undefined
  /** The name and the secret of Basic authorization (RFC 7617); undefined without it. */
  basic(): Basic | undefined
  /** Adds a header to the answer; may be called more than once for set-cookie. */
  setHeader(name: string, value: string): void
  /** Counts this call under the limits its route takes by itself (`countedBy: 'route'`); throws 429. */
  takeLimit(): Promise<void>
}

/** Every route has a signed-in caller, but for public ones and those of a project's key. */
export type ContextOf<R extends Route> = R['who'] extends 'public' | 'projectKey'
  ? CallContext & { readonly user: SignedIn | undefined }
  : CallContext & { readonly user: SignedIn }

/** A route with the function that answers it; the permission was checked before. */
export interface Binding {
  readonly route: Route
  readonly run: (input: never, context: never) => Promise<unknown>
}

/** Binds a declared route to its function, both ways typed. */
export function bind<R extends Route>(
  route: R,
  run: (
    input: InputOf<R>,
    context: ContextOf<R>,
  ) => Promise<AnswerOf<R> | JsonText<AnswerOf<R>>> | AnswerOf<R>,
): Binding {
  return {
    route,
    run: (async (input: InputOf<R>, context: ContextOf<R>) => run(input, context)) as Binding['run'],
  }
}
