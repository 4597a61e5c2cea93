import type { PlaceSource } from '@busbar/contract'
import { placeSources } from './place-sources.ts'

/** The map of devices. The texts come with the map. */
export const mapText = {
  label: '设备地图',
  loading: '正在加载地图…',
  schematic: '示意图，非测绘地图',
  base: { label: '底图', schematic: '示意图' },
  movePin: '拖动或用方向键移动',
  tools: {
    label: '地图工具',
    zoomIn: '放大',
    zoomOut: '缩小',
    fit: '显示全部',
    worst: '下一台报警设备',
    noAlarm: '当前没有设备报警',
    near: '我的附近',
    lasso: '圈选设备',
    endLasso: '结束圈选',
  },
  near: {
    here: '我在这里',
    denied: '浏览器未允许获取位置，请在浏览器设置中开启。',
    failed: '浏览器没有得到当前位置',
    asking: '正在获取当前位置…',
  },
  search: {
    label: '查找地点或地址',
    placeholder: '地点或地址',
    results: (n: number) => `找到 ${n} 个地点`,
    nothing: (text: string) => `“${text}”无结果`,
    failed: '查找失败，请稍后再试',
    clear: '清除查找结果',
  },
  list: {
    label: '地图范围内的设备',
    inView: (n: number) => `范围内 ${n} 台`,
    stack: (n: number) => `此处 ${n} 台`,
    endStack: '显示范围内的全部设备',
    nothing: '地图范围内没有设备',
    nothingHint: '移动或缩小地图，或显示全部设备。',
    noPlaces: '没有设备有位置',
    noPlacesHint: '设备上报定位，或在详情中填写位置后，会显示在地图上。',
    away: (distance: string) => `距我 ${distance}`,
    select: '选择',
  },
  unplaced: (n: number) => `${n} 台没有位置`,
  card: {
    label: (name: string) => `${name}，地图卡片`,
    close: '关闭卡片',
    details: '详情',
    place: (accuracy: string | undefined, source: PlaceSource, at: string) =>
      [...(accuracy === undefined ? [] : [`±${accuracy}`]), placeSources[source], at].join('，'),
  },
  cluster: (n: number) => `${n} 台设备`,
  regions: {
    title: '按地区列出设备',
    hint: '地区取自最近的大城市，不是行政区划的判定。',
    noWebGl: '此浏览器不能绘制地图，设备按地区列出。',
    far: '附近没有大城市',
    none: '没有位置',
    count: (n: number) => `${n} 台`,
  },
  hidden: {
    title: '地图已隐藏',
    hint: (page: string) => `您的账号设置为不显示地图和位置。可在“${page}”中更改。`,
    toList: '打开设备列表',
  },
}
