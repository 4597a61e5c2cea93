import { mailBounces } from '@busbar/contract'
import { type Config, ConfigError, isLocalName, readSecretFile } from '../../config.ts'
import type { Logger } from '../../kernel/logger.ts'
import type { Email, Provider, Sms } from './message.ts'
import { openSignedHttp } from './signed-http-provider.ts'
import { openSmpp } from './smpp-provider.ts'
import { openSmtp } from './smtp-provider.ts'

/** The ways out; a kind without one stays in the outbox. */
export interface Providers {
  readonly sms?: Provider<Sms>
  readonly email?: Provider<Email>
}

/** Opens the configured providers. Throws ConfigError for an impossible configuration. */
export function openProviders(config: Config, logger: Pick<Logger, 'error'>): Providers {
  return {
    ...(config.SMS_URL ? { sms: openSms(new URL(config.SMS_URL), config, logger) } : {}),
    ...(config.SMTP_URL ? { email: openEmail(new URL(config.SMTP_URL), config) } : {}),
  }
}

function openSms(url: URL, config: Config, logger: Pick<Logger, 'error'>): Provider<Sms> {
  refusePassword('SMS_URL', url, 'SMS_SECRET_FILE')
  const id = decodeURIComponent(url.username)
  const secret = readSecret(config, 'SMS_SECRET_FILE') ?? ''
  if (url.protocol === 'smpp:' || url.protocol === 'ssmpp:') {
    const server = {
      host: url.hostname,
      port: url.port ? Number(url.port) : undefined,
      tls: url.protocol === 'ssmpp:',
      systemId: id,
      password: secret,
      sender: config.SMS_SENDER,
    }
    return openSmpp(server, logger)
  }
  if (!id || !secret)
    throw new ConfigError('SMS_URL: signed HTTP needs an access key, https://KEY@host, and SMS_SECRET_FILE')
  if (!config.SMS_TEMPLATE) throw new ConfigError('SMS_TEMPLATE: signed HTTP sends by template; set its code')
  url.username = ''
  const template = config.SMS_TEMPLATE
  const noticeTemplate = config.SMS_NOTICE_TEMPLATE || template
  return openSignedHttp({ url: url.href, accessKeyId: id, secret, template, noticeTemplate })
}

function openEmail(url: URL, config: Config): Provider<Email> {
  refusePassword('SMTP_URL', url, 'SMTP_PASSWORD_FILE')
  if (!config.EMAIL_SENDER) throw new ConfigError('EMAIL_SENDER: set the address e-mails come from')
  const password = readSecret(config, 'SMTP_PASSWORD_FILE')
  const secure = url.protocol === 'smtps:'
  return openSmtp({
    host: url.hostname,
    port: url.port ? Number(url.port) : secure ? 465 : 587,
    secure,
    // A password is not sent in the clear to anybody but this machine.
    requireTls: !secure && password !== undefined && !isLocalName(url.hostname),
    auth: password === undefined ? undefined : { user: decodeURIComponent(url.username), pass: password },
  })
}

/** An address ends up in errors and in logs. */
function refusePassword(name: string, url: URL, file: string): void {
  if (url.password) throw new ConfigError(`${name}: put the password into a file, and its name into ${file}`)
}

/** The secret by which bounces are reported. Throws ConfigError when it cannot be read, or is not one. */
export function readBounceToken(file: string | undefined): string | undefined {
  const token = file && readSecretFile('BOUNCE_TOKEN_FILE', file)
  if (token === undefined || mailBounces.bounceToken.safeParse(token).success) return token
  throw new ConfigError('BOUNCE_TOKEN_FILE: it needs 24 to 64 letters, digits, - or _')
}

function readSecret(config: Config, setting: 'SMS_SECRET_FILE' | 'SMTP_PASSWORD_FILE'): string | undefined {
  const file = config[setting]
  return file === undefined ? undefined : readSecretFile(setting, file)
}
