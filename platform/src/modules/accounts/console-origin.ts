import type { BrandDirectory } from '../brands/index.ts'

/** The configured address of the console. */
export interface ConsoleDoor {
  readonly brands: Pick<BrandDirectory, 'hasHost'>
  readonly https: boolean
  readonly publicUrl: string | undefined
}

/** Where a person opens the console: a brand's own host, else the public address; undefined where none was said. */
export function findPublicOrigin(door: Omit<ConsoleDoor, 'https'>, host: string): string | undefined {
  if (!door.publicUrl) return undefined
  const url = new URL(door.publicUrl)
  // The port is that of the public address, whatever the request says beside the brand's host.
  if (door.brands.hasHost(host)) url.hostname = new URL(`http://${host}`).hostname
  return url.origin
}

/** The same, or without a public address the address of this request. */
export function consoleOrigin(door: ConsoleDoor, host: string): string {
  return findPublicOrigin(door, host) ?? `${door.https ? 'https' : 'http'}://${host}`
}
