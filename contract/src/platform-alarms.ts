import type { Lang } from './text.ts'

/** The beginning of the keys of the platform's own alarms; a machine's keys have another one. */
export const platformAlarmPrefix = 'busbar/'

interface PlatformAlarm {
  readonly key: `${typeof platformAlarmPrefix}${string}`
  readonly text: Readonly<Record<Lang, string>>
}

/**
 * The alarms that the platform itself has a word for, by kind (rules/alarms.md: alarms of the platform). The key of
 * `agent` is reserved: nothing raises it yet. Those of a SIM card are followed by `/` and its last four characters.
 */
export const platformAlarms = {
  away: {
    key: 'busbar/away',
    text: { cn: '设备离线已超过 {limit} 分钟', en: 'The device has been offline for more than {limit} min' },
  },
  takeover: {
    key: 'busbar/takeover',
    text: {
      cn: '两个地址轮流使用此设备的密钥登录',
      en: 'Two addresses sign in with this device’s secret in turn',
    },
  },
  moved: {
    key: 'busbar/moved',
    text: {
      cn: '设备已离开原位置，相距 {metres} 米',
      en: 'The device has left its place: it is {metres} m away',
    },
  },
  simUsage: {
    key: 'busbar/simUsage',
    text: {
      cn: '物联网卡（尾号 {card}）本月流量已用 {percent}%',
      en: 'The SIM card …{card} has used {percent} % of its month’s volume',
    },
  },
  simEnds: {
    key: 'busbar/simEnds',
    text: {
      cn: '物联网卡（尾号 {card}）的套餐不到 {days} 天就要到期',
      en: 'The plan of the SIM card …{card} ends in less than {days} day(s)',
    },
  },
  simElsewhere: {
    key: 'busbar/simElsewhere',
    text: {
      cn: '物联网卡（尾号 {card}）在另一台设备中使用',
      en: 'The SIM card …{card} is used in another device',
    },
  },
  agent: {
    key: 'busbar/agent',
    text: { cn: '设备的采集程序异常', en: 'The agent of the device has a problem' },
  },
} as const satisfies Record<string, PlatformAlarm>
