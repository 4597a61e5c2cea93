import { refusals } from './error-kind.ts'

/** Map sources of the deployment. */
export const tileErrors = {
  ...refusals({
    TILE_SOURCES_FULL: {
      cn: '每个品牌最多 5 个地图来源',
      en: 'A brand can have up to 5 map sources',
    },
    TILE_ADDRESS: { cn: '该地址不能作为地图来源', en: 'This address can’t be a map source' },
    TILE_FILE: { cn: '该文件不能作为地图来源', en: 'This file can’t be a map source' },
  }),
}
