import type { Lang } from '@busbar/contract'
import { causeTextCn } from './cause-text-cn.ts'
import { causeTextEn } from './cause-text-en.ts'
import type { CauseTexts } from './cause-texts.ts'
import type { FoundCause } from './find-cause.ts'

const texts: Readonly<Record<Lang, CauseTexts>> = { cn: causeTextCn, en: causeTextEn }

export const causeText = (found: FoundCause, lang: Lang): string => texts[lang][found.cause](found)

/** The addresses that a device's computer has to reach, for the customer's IT department. */
export interface Needed {
  /** The platform's address. */
  readonly origin: string
  /** The port for MQTT without WebSocket; undefined: there is none. */
  readonly mqttPort: number | undefined
}

/** A text to send to a customer's IT department: addresses and ports, outwards only. */
export function itText({ origin, mqttPort }: Needed, lang: Lang): string {
  const { hostname, port, protocol } = new URL(origin)
  const webPort = port || (protocol === 'https:' ? '443' : '80')
  const rows = lang === 'cn' ? itRowsCn : itRowsEn
  return rows(hostname, webPort, mqttPort).join('\n')
}

const itRowsEn = (host: string, webPort: string, mqttPort: number | undefined) => [
  'The computer beside the controller needs these connections, all of them outwards:',
  `- TCP ${webPort} to ${host}: HTTP and WebSocket; “Upgrade: websocket” and “Upgrade: busbar-tunnel” pass unchanged`,
  ...(mqttPort ? [`- TCP ${mqttPort} to ${host}: MQTT, only for devices that don’t use WebSocket`] : []),
  '- DNS for this name, and a time server (UDP 123)',
  'Nothing has to be opened inwards, and a fixed address isn’t needed.',
  'A proxy that inspects TLS has to exempt this name. Connections stay open for days.',
]

const itRowsCn = (host: string, webPort: string, mqttPort: number | undefined) => [
  '控制器旁的电脑需要以下连接，全部由内向外发起：',
  `- TCP ${webPort}，到 ${host}：HTTP 和 WebSocket；不得改动 Upgrade: websocket 和 Upgrade: busbar-tunnel`,
  ...(mqttPort ? [`- TCP ${mqttPort}，到 ${host}：MQTT，仅用于不使用 WebSocket 的设备`] : []),
  '- 该域名的 DNS 解析，以及时间服务器（UDP 123）',
  '无需开放任何入站端口，也不需要固定公网地址。',
  '如代理或防火墙解密 TLS，请将该域名加入例外。连接会保持数天。',
]
