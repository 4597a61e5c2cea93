const latOf = ['纬度，按 coord 的坐标系', 'Latitude, in the system of coord'] as const
const lngOf = ['经度，按 coord 的坐标系', 'Longitude, in the system of coord'] as const
const latLng = Object.fromEntries(
  [
    'place',
    'suggestion',
    'movedFrom',
    'placeHistory',
    'machineManualLocationLatLng',
    'machineAutoLocationAddress',
    'setMachineLocation',
  ].flatMap((call) => [
    [`${call}.lat`, latOf],
    [`${call}.lng`, lngOf],
  ]),
)
const wayOf = [
  '优先的自动定位方式：1 卫星，2 WiFi，3 基站，4 网络地址',
  'The automatic way that comes first: 1 satellites, 2 WiFi, 3 base stations, 4 network address',
] as const
const ways = Object.fromEntries(
  ['place', 'machineAutoLocationWay', 'machineLocationWay', 'setMachineLocation'].map((call) => [
    `${call}.way`,
    wayOf,
  ]),
)

/** Fields about where machines are: in Chinese, and in English; keys as in people-fields.ts. */
export const placeMeanings = {
  asTyped: ['由人输入的地址；null 表示没有', 'The address that a person typed; null: none'],
  choices: [
    '地址可能指的地点；不为空时设备位置未改变',
    'The places that the address may mean; where there are any, the device was not placed',
  ],
  'choices.distanceM': [
    '到设备当前位置的距离，米；null 表示位置未知',
    'Metres from where the device is; null: that is unknown',
  ],
  coarse: [
    '位置粗略的原因；null 表示足够精确。weakSatellites 卫星信号弱，accessPoints 为热点的位置，accessPointsUnknown 定位服务不认识所上报的热点，baseStations 设备未上报热点，networkAddress 设备只有网络地址，noProvider 没有接入能识别这些信号的定位服务，signalsUnknown 定位服务不认识所上报的信号',
    'Why the place is so coarse; null: it is exact. weakSatellites: they are weak; accessPoints: it is that of access points; accessPointsUnknown: the provider does not know the access points; baseStations: the device tells no access points; networkAddress: it tells nothing; noProvider: no provider takes what it tells; signalsUnknown: the providers do not know what it tells',
  ],
  coord: [
    '坐标系：wgs84 卫星定位，gcj02 国测局，bd09 百度；请求和答复中的坐标都用它',
    'The system of the coordinates in the request and the answer: wgs84 of satellites, gcj02 of Chinese maps, bd09 of Baidu',
  ],
  fixedAt: ['位置的时间', 'When the device was there'],
  'placeSuggestion.fixedAt': ['所采用建议的时间', 'The time of the suggestion that is accepted'],
  implausible: [
    '不可信的原因：range 超出范围，zero 为 0/0，future 在未来，jump 一分钟内跳变 500 公里；null 表示可信',
    'Why the place is not believed: range out of range, zero at 0/0, future in the future, jump of 500 km in a minute; null: it is believed',
  ],
  isMoved: ['设备是否已离开其位置', 'Whether the device moved away from its place'],
  movedFrom: [
    '已移位的设备原来所在的位置；null 表示未移位',
    'The place that a device left which moved; null: it did not move',
  ],
  'placeHistory.isCut': ['更早的位置未列出', 'Whether older places of this time were left out'],
  'placeHistory.list': ['历史位置，从早到晚', 'Where it was, oldest first'],
  'placeHistory.from': ['开始时间', 'From this instant on'],
  'placeHistory.until': ['结束时间', 'Up to this instant'],
  locationType: [
    '定位方式：1 自动，2 手动，3 搜索',
    'How the place is set: 1 automatically, 2 by hand, 3 by a search',
  ],
  movedAfterM: [
    '离开位置多少米算移位；null 表示不报',
    'How many metres from its place a device has moved; null: moves are not told',
  ],
  '/api/v1/machine/place.place': ['设备位置；null 表示未知', 'Where the device is; null: unknown'],
  refreshes: ['今天的定位次数', 'Today’s refreshes'],
  'refreshes.left': ['今天剩余的次数', 'How many are left today'],
  'refreshes.max': ['每天的次数', 'How many a day has'],
  'refreshes.used': ['今天已用的次数', 'How many were used today'],
  'machineStationLocationNum.max': ['每天的次数', 'How many refreshes a day has'],
  'machineStationLocationNum.used': ['今天已用的次数', 'How many were used today'],
  refreshLeft: ['今天剩余的定位次数', 'How many refreshes are left today'],
  resetAt: ['次数重新计算的时间', 'When the day of the owner ends, and the next refreshes begin'],
  suggestion: [
    '人设置的位置之外，最近一次自动定位的结果；null 表示没有',
    'The newest automatic fix beside a place that a person set; null: none',
  ],
  'suggestion.distanceM': [
    '与设备位置的距离，米；null 表示位置未知',
    'Metres from the place; null: that is unknown',
  ],
  ...latLng,
  'place.type': [
    '定位方式：1 自动，2 手动，3 搜索',
    'How the place is set: 1 automatically, 2 by hand, 3 by a search',
  ],
  'setMachineLocation.type': [
    '定位方式：1 自动，2 手动，3 搜索',
    'How the place is set: 1 automatically, 2 by hand, 3 by a search',
  ],
  'setMachineLocation.address': ['按所输入显示的地址', 'The address, which is shown as typed'],
  ...ways,
  'placeHistory.at': ['时间', 'When the device was there'],
} satisfies Readonly<Record<string, readonly [cn: string, en: string]>>
