import { AnswerLost, type Email, MessageRefused, type Provider } from './message.ts'

const connectMsMax = 10_000
const silenceMsMax = 30_000
const connectionsMax = 3

/** An SMTP server that takes e-mails from the platform. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** TLS from the first byte. */
  readonly secure: boolean
  /** Without STARTTLS no message is sent. */
  readonly requireTls: boolean
  readonly auth: { readonly user: string; readonly pass: string } | undefined
}

/** Sends e-mails to an SMTP server over connections that are kept. A 5xx answer to a message is a refusal. */
export function openSmtp(server: SmtpServer): Provider<Email> {
  let opened: ReturnType<typeof openTransport> | undefined
  return {
    async send(email) {
      opened ??= openTransport(server)
      const transport = await opened
      try {
        await transport.sendMail({
          from: { ...email.from },
          to: { name: '', address: email.to },
          subject: email.subject,
          text: email.text,
          html: email.html,
          messageId: `<${email.messageId}>`,
          headers: {
            // Programs that answer for absent people leave it alone (RFC 3834, 5).
            'Auto-Submitted': 'auto-generated',
            ...(email.unsubscribeUrl ? unsubscribing(email.unsubscribeUrl) : {}),
          },
          attachments: email.files.map(({ name, contentType, content }) => ({
            filename: name,
            contentType,
            content,
          })),
        })
        return []
      } catch (error) {
        if (isRefusal(error)) throw new MessageRefused((error as Error).message, { cause: error })
        if (wasCut(error) || isOutOfStep(error))
          throw new AnswerLost((error as Error).message, { cause: error })
        throw error
      }
    },
    async close() {
      const transport = await opened
      transport?.close()
    },
  }
}

/** The library is read with the first e-mail: 3 MB that a platform at rest does not need. */
async function openTransport(server: SmtpServer) {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    pool: true,
    host: server.host,
    port: server.port,
    secure: server.secure,
    requireTLS: server.requireTls,
    ...(server.auth ? { auth: { ...server.auth } } : {}),
    maxConnections: connectionsMax,
    connectionTimeout: connectMsMax,
    greetingTimeout: connectMsMax,
    socketTimeout: silenceMsMax,
    // A message is text: files of this server and remote addresses are not included.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** The server answered the envelope or the message itself with 5xx; a wrong password is for an operator to mend. */
function isRefusal(error: unknown): boolean {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown }
  const isOfMessage = code === 'EENVELOPE' || code === 'EMESSAGE'
  return isOfMessage && typeof responseCode === 'number' && responseCode >= 500
}

const cuts: ReadonlySet<unknown> = new Set(['ECONNECTION', 'ETIMEDOUT', 'ESOCKET'])

/** An open connection ended or fell silent; nodemailer does not report whether the message was through by then. */
function wasCut(error: unknown): boolean {
  const { code, syscall, responseCode } = error as {
    code?: unknown
    syscall?: unknown
    responseCode?: unknown
  }
  return cuts.has(code) && syscall !== 'connect' && responseCode === undefined
}

/**
 * The answer to the message itself was not a success or a failure code: the server answered something twice before, so
 * this is the answer to an earlier command, and that to the message was never read.
 */
function isOutOfStep(error: unknown): boolean {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown }
  return code === 'EMESSAGE' && !(typeof responseCode === 'number' && responseCode >= 400)
}

const unsubscribing = (url: string) => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})
