/** Machines of one load run, and how they behave. */
export interface LoadPlan {
  host: string
  port: number
  /** Messages per second of each machine; may be a fraction. */
  ratePerS: number
  /** Connections opened per second, by all processes together. */
  connectPerS: number
  /** This many of ten machines use plain JSON, the others Sparkplug B. */
  jsonOfTen: number
  /** Ends after this many seconds; absent: on a signal. */
  forS?: number
  processes?: number
  machines: readonly LoadIdentity[]
}

export interface LoadIdentity {
  code: string
  secret: string
}

/** A process may open about 20,000 files, and an address has 28,000 ports towards one listener. */
const connectionsPerProcessMax = 10_000
const connectionsPerAddressMax = 20_000
const loadMachinesMax = 50_000
const ratePerSMax = 1_000

/** The part of one process of the run: machines `first` to `first + machines.length` of all. */
export interface LoadShare extends Omit<LoadPlan, 'machines' | 'processes' | 'forS'> {
  first: number
  total: number
  machines: readonly LoadIdentity[]
}

/** Cuts a plan into shares of nearly one size. */
export function sharesOf(plan: LoadPlan): LoadShare[] {
  const { machines, processes, forS: _, ...rest } = plan
  const least = Math.ceil(machines.length / connectionsPerProcessMax)
  const count = Math.max(least, Math.min(processes ?? least, machines.length))
  return Array.from({ length: count }, (_, place) => {
    const first = Math.floor((place * machines.length) / count)
    const end = Math.floor(((place + 1) * machines.length) / count)
    return {
      ...rest,
      connectPerS: plan.connectPerS / count,
      first,
      total: machines.length,
      machines: machines.slice(first, end),
    }
  })
}

/**
 * The loopback address machine `index` calls from; undefined if one address is enough, or the target is
 * remote.
 */
export function sourceAddressOf(host: string, index: number): string | undefined {
  const place = Math.floor(index / connectionsPerAddressMax)
  return place > 0 && /^(127\.|localhost$)/.test(host) ? `127.0.0.${1 + place}` : undefined
}

export function parseLoadPlan(text: string): LoadPlan {
  const plan = JSON.parse(text) as LoadPlan
  const isWhole =
    typeof plan.host === 'string' &&
    Number.isInteger(plan.port) &&
    plan.ratePerS > 0 &&
    plan.ratePerS <= ratePerSMax &&
    plan.connectPerS > 0 &&
    Array.isArray(plan.machines) &&
    plan.machines.length > 0 &&
    plan.machines.length <= loadMachinesMax
  if (!isWhole) throw new Error('the load plan is not whole')
  return plan
}
