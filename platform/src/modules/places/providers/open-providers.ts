import { type Config, readSecretFile } from '../../../config.ts'
import type { AddressProvider } from './address-provider.ts'
import { type KeyedService, openAmap } from './amap.ts'
import { openAmapPositions } from './amap-positions.ts'
import type { PositionProvider } from './position-provider.ts'
import { openTencent } from './tencent.ts'
import { openTencentPositions } from './tencent-positions.ts'

interface OutsideProviders {
  readonly addresses: readonly AddressProvider[]
  readonly positions: readonly PositionProvider[]
}

/**
 * The providers whose keys the operator set, in the order in which they are asked.
 * @throws ConfigError
 */
export function openProviders(config: Config): OutsideProviders {
  const amap = serviceOf(config, 'AMAP')
  const amapPositions = serviceOf(config, 'AMAP_POSITION')
  const tencent = serviceOf(config, 'TENCENT_MAP')
  return {
    addresses: [...(amap ? [openAmap(amap)] : []), ...(tencent ? [openTencent(tencent)] : [])],
    positions: [
      ...(amapPositions ? [openAmapPositions(amapPositions)] : []),
      ...(tencent ? [openTencentPositions(tencent)] : []),
    ],
  }
}

function serviceOf(
  config: Config,
  prefix: 'AMAP' | 'AMAP_POSITION' | 'TENCENT_MAP',
): KeyedService | undefined {
  const file = config[`${prefix}_KEY_FILE`]
  return file === undefined
    ? undefined
    : { url: config[`${prefix}_URL`], key: readSecretFile(`${prefix}_KEY_FILE`, file) }
}
