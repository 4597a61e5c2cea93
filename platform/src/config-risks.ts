import { type Config, hasOutsideAddress, isLocalName } from './config.ts'

/** A setting that a public platform should not have, and why. */
export interface Risk {
  readonly setting: keyof Config
  readonly reason: string
}

/** The settings that an operator may have left open; each is a line of the log at the start. */
export function listRisks(config: Config): Risk[] {
  const { PUBLIC_URL, SMS_URL, AMAP_URL, AMAP_POSITION_URL, TENCENT_MAP_URL, DATABASE_URL, TELEMETRY_URL } =
    config
  const isPublic = hasOutsideAddress(config)
  const isMqttOpen = config.ROLES.includes('edge') && config.MQTT_PLAIN && !isLocalName(config.HOST)
  const risks: [isRisky: boolean, setting: keyof Config, reason: string][] = [
    [
      isMqttOpen && config.TLS_CERT_FILE !== undefined,
      'MQTT_PLAIN',
      'machines may send their secrets without TLS beside the port with TLS',
    ],
    [isPlainWeb(PUBLIC_URL), 'PUBLIC_URL', 'passwords and sessions travel without TLS'],
    [isPlainWeb(SMS_URL), 'SMS_URL', 'codes travel without TLS'],
    [isPlainWeb(AMAP_URL), 'AMAP_URL', 'the key and what people search travel without TLS'],
    [isPlainWeb(AMAP_POSITION_URL), 'AMAP_POSITION_URL', 'the key and what machines hear travel without TLS'],
    [
      isPlainWeb(TENCENT_MAP_URL),
      'TENCENT_MAP_URL',
      'the key, what people search and what machines hear travel without TLS',
    ],
    [isPlainDatabase(DATABASE_URL), 'DATABASE_URL', 'data and the password travel without TLS'],
    [isPlainDatabase(TELEMETRY_URL), 'TELEMETRY_URL', 'data and the password travel without TLS'],
    [
      isPublic && !config.OPERATOR_SECOND_FACTOR,
      'OPERATOR_SECOND_FACTOR',
      'a password alone opens the back office',
    ],
    [
      isPublic && config.OUTGOING_ALLOWED_NETWORKS.some(({ space }) => space === 'all'),
      'OUTGOING_ALLOWED_NETWORKS',
      'everybody who makes a project reaches these places',
    ],
  ]
  return risks.flatMap(([isRisky, setting, reason]) => (isRisky ? [{ setting, reason }] : []))
}

function isPlainWeb(address: string | undefined): boolean {
  if (address === undefined) return false
  const { protocol, hostname } = new URL(address)
  return protocol === 'http:' && !isLocalName(hostname)
}

/** Whether a database is reached over a network without TLS, in the terms of libpq and node-postgres. */
function isPlainDatabase(address: string | undefined): boolean {
  if (address === undefined) return false
  const { hostname, searchParams } = new URL(address)
  const host = decodeURIComponent(searchParams.get('host') ?? hostname)
  if (host === '' || host.startsWith('/') || isLocalName(host)) return false
  const mode = searchParams.get('sslmode')
  const isEncrypted =
    mode === null ? /^(1|true)$/.test(searchParams.get('ssl') ?? '') : !/^(disable|allow)$/.test(mode)
  return !isEncrypted
}
