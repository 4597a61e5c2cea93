import type { Brand } from '../../kernel/http/brand.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { BrandDirectory } from './brand-directory.ts'

/** The configured address of the console. */
export interface ConsoleOriginSource {
  readonly brands: Pick<BrandDirectory, 'hasHost'>
  readonly https: boolean
  readonly publicUrl: string | undefined
}

/** Where links in e-mails and SMS lead: to the public address; in the demo to the page on this machine. */
export function linkSource(
  { config, ports }: Pick<Kernel, 'config' | 'ports'>,
  brands: Pick<BrandDirectory, 'hasHost'>,
): Omit<ConsoleOriginSource, 'https'> {
  return {
    brands,
    // The port is known once the platform listens.
    get publicUrl() {
      return config.PUBLIC_URL ?? (config.BUSBAR_DEMO ? `http://localhost:${ports.web}` : undefined)
    },
  }
}

/** The console's address for a person: a brand's own host, else the public address; undefined if none is configured. */
export function findPublicOrigin(
  source: Omit<ConsoleOriginSource, 'https'>,
  host: string,
): string | undefined {
  if (!source.publicUrl) return undefined
  const url = new URL(source.publicUrl)
  // The port is that of the public address, whatever port the request has.
  if (source.brands.hasHost(host)) url.hostname = new URL(`http://${host}`).hostname
  return url.origin
}

/** The same, or without a public address the address of this request. */
export function consoleOrigin(source: ConsoleOriginSource, host: string): string {
  return findPublicOrigin(source, host) ?? `${source.https ? 'https' : 'http'}://${host}`
}

/** Where people of a brand open the console: on its first host; undefined if no public address is configured. */
export const brandOrigin = (
  source: Omit<ConsoleOriginSource, 'https'>,
  { hosts }: Pick<Brand, 'hosts'>,
): string | undefined => findPublicOrigin(source, hosts[0] ?? '')
