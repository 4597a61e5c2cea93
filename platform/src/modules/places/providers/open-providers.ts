import { type Config, readSecretFile } from '../../../config.ts'
import type { AddressProvider } from './address-provider.ts'
import { type KeyedService, openAmap } from './amap.ts'
import { openTencent } from './tencent.ts'

/**
 * The providers whose keys the operator set, in the order in which they are asked.
 * @throws ConfigError
 */
export function openAddressProviders(config: Config): AddressProvider[] {
  const amap = serviceOf(config, 'AMAP')
  const tencent = serviceOf(config, 'TENCENT_MAP')
  return [...(amap ? [openAmap(amap)] : []), ...(tencent ? [openTencent(tencent)] : [])]
}

function serviceOf(config: Config, prefix: 'AMAP' | 'TENCENT_MAP'): KeyedService | undefined {
  const file = config[`${prefix}_KEY_FILE`]
  return file === undefined
    ? undefined
    : { url: config[`${prefix}_URL`], key: readSecretFile(`${prefix}_KEY_FILE`, file) }
}
