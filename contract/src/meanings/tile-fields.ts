/** Fields of the maps of a deployment: in Chinese, and in English; keys as in people-fields.ts. */
export const tileFields = {
  'tile-sources.attribution': ['版权说明', 'The words of its maker'],
  'tiles.attribution': ['版权说明，须显示在地图上', 'The words of its maker, to be shown on the map'],
  'tile-sources.hasKey': ['是否已保存密钥', 'Whether it has a key'],
  'tile-sources.kind': ['类型', 'How its tiles are had'],
  minZoom: ['最小级别', 'The lowest zoom that it has'],
  maxZoom: ['最大级别', 'The highest zoom that it has'],
  system: ['绘制地图的坐标系', 'The coordinate system that it is drawn in'],
} as const satisfies Readonly<Record<string, readonly [cn: string, en: string]>>
