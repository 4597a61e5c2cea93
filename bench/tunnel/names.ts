/** The targets of every agent of these measurements, one page: as one that may change things, and as one to watch. */
export const benchTargets = { change: 'change', watch: 'watch' } as const
export type BenchTarget = (typeof benchTargets)[keyof typeof benchTargets]

/** The visit host of a machine's target, without a port. */
export const visitHostOf = (code: string, target: BenchTarget): string => `${target}--${code}.visit.localhost`

/** The target of a request: a port of this machine, and for a visit host its name and the visit's cookie. */
export interface PageAddress {
  readonly port: number
  readonly host?: string
  readonly cookie?: string
}
