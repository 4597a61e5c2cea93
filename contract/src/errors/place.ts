import { refusals } from './error-kind.ts'

/** Where machines are. */
export const placeErrors = refusals({
  LOCATION_UNAVAILABLE: {
    cn: '无法定位：设备最近一天没有上报卫星、WiFi 或基站信息，或平台没有接入能识别它们的定位服务，网络地址也查不到城市',
    en: 'The device can’t be located: in the last day it told no satellites, WiFi or base stations that a provider of this platform takes, and its network address has no known city',
  },
  PLACE_REFRESHES_USED: {
    cn: '该设备今天的 5 次定位已用完',
    en: 'The 5 refreshes of this device for today are used up',
  },
  PLACE_PROVIDER_UNREACHABLE: {
    cn: '连接不上定位服务，未计入今天的次数',
    en: 'The positioning service can’t be reached. This refresh wasn’t counted.',
  },
  PLACE_PROVIDER_SLOW: {
    cn: '定位服务 5 秒内没有回应，未计入今天的次数',
    en: 'The positioning service didn’t answer within 5 seconds. This refresh wasn’t counted.',
  },
  PLACE_PROVIDER_BUSY: {
    cn: '定位服务请求过多，请稍后再试，未计入今天的次数',
    en: 'The positioning service gets too many requests. Try again later; this refresh wasn’t counted.',
  },
  PLACE_PROVIDER_REFUSED: {
    cn: '定位服务拒绝了请求，请联系平台管理员，未计入今天的次数',
    en: 'The positioning service refused. Ask the operator of the platform; this refresh wasn’t counted.',
  },
  PLACE_PROVIDER_WRONG: {
    cn: '定位服务的回应无法识别，请联系平台管理员，未计入今天的次数',
    en: 'The answer of the positioning service can’t be read. Ask the operator of the platform; this refresh wasn’t counted.',
  },
  PLACE_WITHOUT_RADIUS: {
    cn: '定位服务没有给出精度，该位置不可用，未计入今天的次数',
    en: 'The positioning service gave a place without its accuracy, which isn’t used. This refresh wasn’t counted.',
  },
  PLACE_FAR_AWAY: {
    cn: '得到的位置距最近 10 个位置都超过 3000 公里，未采用也未计入次数；如果设备确实在那里，请手动设置位置',
    en: 'The place that was found is more than 3,000 km from each of the last ten and wasn’t used or counted. If the device is there, set its place by hand.',
  },
  PLACE_IMPLAUSIBLE: {
    cn: '得到的位置与上一次相比跳变过大，未采用，也未计入今天的次数',
    en: 'The place that was found is too far from the last one for the time between, and isn’t used. This refresh wasn’t counted.',
  },
  PLACE_SWAPPED: {
    cn: '纬度超过 90，经纬度可能填反了',
    en: 'The latitude is over 90: latitude and longitude may be swapped',
  },
  PLACE_ZERO: {
    cn: '纬度和经度都是 0，通常表示没有定位',
    en: 'Latitude and longitude are both 0, which usually means that there is no position',
  },
  PLACE_ADDRESS_UNKNOWN: { cn: '找不到这个地址', en: 'No place has this address' },
  PLACE_SUGGESTION_GONE: {
    cn: '建议的位置已更新，请重新查看',
    en: 'The suggested place has changed. Look at it again.',
  },
})
