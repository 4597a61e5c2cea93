import type { BrandDirectory } from '../brands/index.ts'

/** The configured address of the console. */
export interface ConsoleDoor {
  readonly brands: Pick<BrandDirectory, 'hasHost'>
  readonly https: boolean
  readonly publicUrl: string | undefined
}

/** The console's address for a person: a brand's own host, else the public address; undefined if none is configured. */
export function findPublicOrigin(door: Omit<ConsoleDoor, 'https'>, host: string): string | undefined {
  if (!door.publicUrl) return undefined
  const url = new URL(door.publicUrl)
  // The port is that of the public address, whatever port the request has.
  if (door.brands.hasHost(host)) url.hostname = new URL(`http://${host}`).hostname
  return url.origin
}

/** The same, or without a public address the address of this request. */
export function consoleOrigin(door: ConsoleDoor, host: string): string {
  return findPublicOrigin(door, host) ?? `${door.https ? 'https' : 'http'}://${host}`
}
