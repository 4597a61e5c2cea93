/**
 * The number of calls that pass in a window (docs/decisions/0023-call-limits.md). A rate without `callsPerUserMax`
 * counts addresses only, and the other way round.
 */
export interface Rate {
  readonly windowMs: number
  /** Calls of one signed-in person. */
  readonly callsPerUserMax?: number
  /** Calls of one address; an IPv6 /64 counts as one address, and its /48 may make four times as many. */
  readonly callsPerAddressMax?: number
  /** Counted for all processes of the platform together: it limits guessing, or a stranger's messages to others. */
  readonly isShared?: true
}

const minuteMs = 60_000
const hourMs = 3_600_000

/**
 * The rates of calls, by name. Routes that declare the same name share its counters. `calls`, `publicCalls` and
 * `machineCalls` and
 * `projectCalls` apply to every route of their callers, in addition to the others, but for one that declares `countedAs`
 * (rules/calls.md: call rates).
 */
export const rates = {
  /** Any call that needs a session: counted by person, and by address if there is no person. */
  calls: { windowMs: minuteMs, callsPerUserMax: 3_000, callsPerAddressMax: 12_000 },
  /** Any call without a session. */
  publicCalls: { windowMs: minuteMs, callsPerAddressMax: 1_200 },
  /** Any call of a machine by HTTP, right or wrong. Hundreds of machines may sit behind one address. */
  machineCalls: { windowMs: minuteMs, callsPerAddressMax: 60_000 },
  /** Any call with a project's key: programs that ask for values again and again, many behind one address. */
  projectCalls: { windowMs: minuteMs, callsPerAddressMax: 6_000 },
  /**
   * Tiles of maps, instead of `calls`: a person who pans asks for dozens at a time, and the rest of the console goes on.
   */
  tiles: { windowMs: minuteMs, callsPerUserMax: 6_000, callsPerAddressMax: 60_000 },
  /** Wrong keys of projects. */
  projectKeys: { windowMs: minuteMs, callsPerAddressMax: 10, isShared: true },
  /** Owners of projects who are told that an address tries wrong keys. */
  projectKeyAlarms: { windowMs: hourMs, callsPerAddressMax: 3, isShared: true },
  /** Tests of destinations: each sends a request to somebody's system. */
  destinationTests: { windowMs: minuteMs, callsPerUserMax: 10, isShared: true },
  /** Invitations and machines of projects: each tells somebody. */
  projectActs: { windowMs: minuteMs, callsPerUserMax: 120 },
  /** Calls whose answer reveals whether a person, a machine or a code exists, counted together. */
  asks: { windowMs: minuteMs, callsPerUserMax: 10, callsPerAddressMax: 30, isShared: true },
  /** Sign-ins by password: each costs a hash. */
  signIns: { windowMs: minuteMs, callsPerAddressMax: 30, isShared: true },
  /** Calls of strangers that cost a hash or try a code: registering, activating, setting a password. */
  accountTries: { windowMs: minuteMs, callsPerAddressMax: 30, isShared: true },
  /** Proofs of the caller's password: each costs a hash, right or wrong. */
  passwordProofs: { windowMs: minuteMs, callsPerUserMax: 20, isShared: true },
  /** Codes entered to get a ticket: far more than a person types. */
  codeChecks: { windowMs: minuteMs, callsPerAddressMax: 60, isShared: true },
  /** Codes made for signing in on another terminal. */
  signInCodes: { windowMs: minuteMs, callsPerAddressMax: 30, isShared: true },
  /** A page that shows a QR code asks every two seconds, and many sit behind one address. */
  qrChecks: { windowMs: minuteMs, callsPerAddressMax: 600, isShared: true },
  /** A program with a device code asks every five seconds, and many run behind one address. */
  deviceCodeChecks: { windowMs: minuteMs, callsPerAddressMax: 600, isShared: true },
  /** Requests for SCADA by a form that anybody may send. */
  scadaRequests: { windowMs: hourMs, callsPerAddressMax: 5, isShared: true },
  /** Callbacks of an SMS service, right or wrong. */
  smsReceipts: { windowMs: minuteMs, callsPerAddressMax: 1_000 },
  /** Bounces of e-mails that a mail server passes on, with a right token or a wrong one. */
  bounces: { windowMs: minuteMs, callsPerAddressMax: 1_000 },
  /** Calls that may send a mail to an unconfirmed address. */
  contactMails: { windowMs: hourMs, callsPerUserMax: 300, isShared: true },
  /** Tests of the ways by which alarms reach a person: each may send an SMS. */
  alarmTests: { windowMs: hourMs, callsPerUserMax: 5, isShared: true },
  /** Links of mails: pages that show the purpose of a link, and the clicks on them. Mail scanners follow each link. */
  mailLinks: { windowMs: minuteMs, callsPerAddressMax: 120, isShared: true },
  /** Calls to agents about their configuration: pages that show live registers ask every two seconds. */
  agentCalls: { windowMs: minuteMs, callsPerUserMax: 180 },
  /** Scans of a plant's network for controllers. */
  agentScans: { windowMs: minuteMs, callsPerUserMax: 1 },
  /** Checks of devices: each asks the device's agent, which asks its controllers. */
  checks: { windowMs: minuteMs, callsPerUserMax: 20 },
  /** Machines that people register, and links for setting them up: each costs a hash, or a new secret. */
  onboardings: { windowMs: hourMs, callsPerUserMax: 60, isShared: true },
  /** Calls of setup links: a script and two calls for each computer, of many behind one address. */
  setupLinks: { windowMs: minuteMs, callsPerAddressMax: 120, isShared: true },
  /** Addresses that people search: the operator’s provider may ask money for each. */
  addressSearches: { windowMs: 24 * hourMs, callsPerUserMax: 30, isShared: true },
  /** Places of machines that people set, and refresh: each may ask the operator’s provider. */
  placeChanges: { windowMs: hourMs, callsPerUserMax: 60, isShared: true },
  /** Exports that are made. */
  exports: { windowMs: hourMs, callsPerUserMax: 100 },
  /** Reports and previews: each reads much and draws for seconds. */
  reportRuns: { windowMs: hourMs, callsPerUserMax: 120 },
  /** Files of variables and of rules that are read. */
  imports: { windowMs: minuteMs, callsPerUserMax: 60 },
  uploads: { windowMs: hourMs, callsPerUserMax: 30 },
  /** Push sockets that pages open. */
  pushSockets: { windowMs: minuteMs, callsPerAddressMax: 600 },
  /**
   * WebSockets for MQTT. After an outage a factory's 10,000 machines come back behind one address. Separate limits
   * apply to unsigned connections at the same time, and to wrong secrets.
   */
  mqttSockets: { windowMs: minuteMs, callsPerAddressMax: 12_000 },
  /** Tunnels, as `mqttSockets`: each machine opens one beside its connection for values. */
  tunnels: { windowMs: minuteMs, callsPerAddressMax: 12_000 },
  /** WebSockets to machines' ports: some tools connect for each request, and several people may be behind one address. */
  visitPorts: { windowMs: minuteMs, callsPerAddressMax: 3_000 },
  /** Entries into a machine's page that begin at its visit host: each gets a state, and leads to the console. */
  visitStarts: { windowMs: minuteMs, callsPerAddressMax: 120 },
  /** Questions to the console whether a person may enter. */
  visitAsks: { windowMs: minuteMs, callsPerAddressMax: 120 },
  /** Codes presented to a visit host: each entry presents its code twice, to clear the host and to get the cookie. */
  visitCodes: { windowMs: minuteMs, callsPerAddressMax: 240, isShared: true },
  /** Questions of agents' own pages about their visit: an open page asks every five seconds. */
  visitPages: { windowMs: minuteMs, callsPerAddressMax: 1_200 },
} as const satisfies Record<string, Rate>

/** Rates of requests outside the contract: sockets, and the pages around a visit. */
export type AddressRate =
  | 'pushSockets'
  | 'mqttSockets'
  | 'tunnels'
  | 'visitPorts'
  | 'visitStarts'
  | 'visitAsks'
  | 'visitCodes'
  | 'visitPages'
  | 'projectKeys'
  | 'projectKeyAlarms'

/** The rates that calls of the contract may declare. */
export type RateName = Exclude<keyof typeof rates, AddressRate>

/** The rates that count every call of some callers. */
export type GeneralRate = 'calls' | 'publicCalls' | 'machineCalls' | 'projectCalls' | 'tiles'

/** A call that was counted covers a later one that names the same thing for this long. */
export const coverMs = 10 * 60_000

/**
 * A limit that a route declares. `countedBy: 'route'`: the route takes the try itself, only if its answer reveals
 * something that the caller had no right to know. `covers` and `coveredBy` name a field of the request: a call of the
 * first route lets one call of the second with the same value pass uncounted, by the same person, within `coverMs`.
 */
export type RouteLimit<Field extends string = string> =
  | RateName
  | { readonly rate: RateName; readonly countedBy: 'route' }
  | { readonly rate: RateName; readonly covers: Field }
  | { readonly rate: RateName; readonly coveredBy: Field }
