import { createPrivateKey, X509Certificate } from 'node:crypto'
import { type destinations as contract, findTopicFault, projectLimits, type Text } from '@busbar/contract'
import { Failure } from '../../kernel/http/failure.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'

/** The secrets of a broker's settings, which are never given back. */
export interface BrokerSecrets {
  readonly password: string
  readonly privateKey: string
}

export interface CheckedBroker {
  readonly mqtt: contract.Mqtt
  readonly secrets: BrokerSecrets
}

/** The secrets of a destination, and the address that they are for. */
export interface KeptBroker {
  readonly url: string
  readonly secrets: BrokerSecrets
}

const noSecrets: BrokerSecrets = { password: '', privateKey: '' }

/** The owner of sealed secrets: they open for this destination only. */
const ownerOf = (destinationId: number): string => `destination ${destinationId} broker`

export const sealBroker = (box: SecretBox, destinationId: number, secrets: BrokerSecrets): Buffer =>
  box.seal(Buffer.from(JSON.stringify(secrets)), ownerOf(destinationId))

/** Empty ones where there are none, or where they were sealed with another key. */
export function openBroker(box: SecretBox, destinationId: number, sealed: Buffer | null): BrokerSecrets {
  const opened = sealed && box.open(sealed, ownerOf(destinationId))
  return opened ? (JSON.parse(opened.toString()) as BrokerSecrets) : noSecrets
}

/**
 * The settings of a broker with the secrets that were left out. A kept password goes to the broker that it was entered
 * for: whoever enters another address does not learn it.
 * @throws Failure
 */
export function checkBroker(
  sent: contract.SentMqtt,
  { url, format }: { readonly url: string; readonly format: contract.RowFormat },
  kept?: KeptBroker,
): CheckedBroker {
  const { password: sentPassword, privateKey: sentKey, ...shown } = sent
  if (format !== 'sparkplug') checkTopic(shown.topic)
  const isKept = sentPassword === undefined && shown.username !== ''
  if (isKept && kept && kept.secrets.password !== '' && kept.url !== url)
    throw new Failure('DESTINATION_PASSWORD', { field: 'mqtt.password' })
  const password = isKept ? (kept?.secrets.password ?? '') : shown.username === '' ? '' : (sentPassword ?? '')
  const privateKey = shown.certificate === '' ? '' : (sentKey ?? kept?.secrets.privateKey ?? '')
  checkCertificates(shown, privateKey)
  return {
    mqtt: { ...shown, hasPassword: password !== '', hasPrivateKey: privateKey !== '' },
    secrets: { password, privateKey },
  }
}

function checkTopic(topic: string): void {
  const fault = findTopicFault(topic)
  if (!fault) return
  const { at, problem, found } = fault
  const shown = /\p{C}/u.test(found) ? `U+${found.codePointAt(0)?.toString(16).padStart(4, '0')}` : found
  const texts: Readonly<Record<typeof problem, Text>> = {
    empty: { cn: '请填写主题', en: 'Enter a topic' },
    tooLong: {
      cn: `主题最长 ${projectLimits.topicMax} 个字符`,
      en: `A topic has at most ${projectLimits.topicMax} characters`,
    },
    character: {
      cn: `主题的第 ${at} 个字符“${shown}”不允许使用`,
      en: `“${shown}”, character ${at} of the topic, isn’t allowed`,
    },
    part: {
      cn: `主题的第 ${at} 个字符起的“${shown}”不是可用的占位符`,
      en: `“${shown}”, at character ${at} of the topic, is no part of a row`,
    },
  }
  throw new Failure('DESTINATION_TOPIC', { field: 'mqtt.topic', text: texts[problem], data: { at, problem } })
}

function checkCertificates(
  { ca, certificate }: Pick<contract.Mqtt, 'ca' | 'certificate'>,
  privateKey: string,
): void {
  if (ca !== '') read('ca', () => readCertificates(ca))
  if (certificate === '') return
  const [own] = read('certificate', () => readCertificates(certificate))
  const key = read('privateKey', () => createPrivateKey(privateKey))
  if (!own?.checkPrivateKey(key)) throw certificateFailure('pair')
}

/** @throws where one cannot be read, or there is none */
function readCertificates(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  if (blocks.length === 0) throw new Error('There is no certificate.')
  return blocks.map((block) => new X509Certificate(block))
}

function read<T>(part: 'ca' | 'certificate' | 'privateKey', work: () => T): T {
  try {
    return work()
  } catch {
    throw certificateFailure(part)
  }
}

const certificateTexts = {
  ca: {
    cn: 'CA 证书无法读取，请填写 PEM 格式',
    en: 'The authority’s certificate can’t be read: it has to be PEM',
  },
  certificate: {
    cn: '客户端证书无法读取，请填写 PEM 格式',
    en: 'The client certificate can’t be read: it has to be PEM',
  },
  privateKey: {
    cn: '私钥无法读取，请填写未加密的 PEM 格式',
    en: 'The key can’t be read: it has to be PEM without a passphrase',
  },
  pair: { cn: '私钥与客户端证书不匹配', en: 'The key doesn’t belong to the client certificate' },
} as const satisfies Readonly<Record<string, Text>>

const certificateFailure = (part: keyof typeof certificateTexts): Failure =>
  new Failure('DESTINATION_CERTIFICATE', {
    field: part === 'pair' ? 'mqtt.privateKey' : `mqtt.${part}`,
    text: certificateTexts[part],
  })
