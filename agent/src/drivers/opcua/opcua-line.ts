import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type {
  ClientSession,
  ClientSessionPublishService,
  ClientSessionRawSubscriptionService,
  EndpointDescription,
  OPCUAClientOptions,
  UserIdentityInfo,
} from 'node-opcua-client'
import {
  MessageSecurityMode,
  OPCUAClient,
  SecurityPolicy,
  setDebugLogger,
  setErrorLogger,
  setWarningLogger,
  UserTokenType,
} from 'node-opcua-client'
import type { DriverDeps } from '../driver-kind.ts'
import type { OpcUaOptions, OpcUaUser, PolicyWord, SecurityWord } from './opcua-connection.ts'
import type { OwnCertificate } from './own-certificate.ts'
import { ownCertificate } from './own-certificate.ts'
import { createStore, ServerCheck } from './server-trust.ts'

// The library writes to the console; the agent's log covers what matters.
for (const silence of [setDebugLogger, setWarningLogger, setErrorLogger]) silence(() => undefined)

const sessionMs = 120_000
/** Longest wait for the answer to a goodbye. */
const goodbyeMs = 500

export type LineOptions = OpcUaOptions & { name: string }
export type LineDeps = Pick<DriverDeps, 'clock' | 'log' | 'configFolder' | 'stateFolder'>

/** A session with the services that the library keeps for its own subscriptions. */
export type OpcUaSession = ClientSession & ClientSessionRawSubscriptionService & ClientSessionPublishService

/** An open session. */
export interface Line {
  readonly client: OPCUAClient
  readonly session: OpcUaSession
  readonly namespaces: readonly string[]
  close(): Promise<void>
}

const modes: Record<SecurityWord, MessageSecurityMode> = {
  none: MessageSecurityMode.None,
  Sign: MessageSecurityMode.Sign,
  SignAndEncrypt: MessageSecurityMode.SignAndEncrypt,
}

const policies: Record<PolicyWord, SecurityPolicy> = {
  Basic256Sha256: SecurityPolicy.Basic256Sha256,
  Aes128_Sha256_RsaOaep: SecurityPolicy.Aes128_Sha256_RsaOaep,
  Aes256_Sha256_RsaPss: SecurityPolicy.Aes256_Sha256_RsaPss,
}

/** Connects and signs in. Rejects when that does not work within a few times `timeoutMs`. */
export async function openLine(options: LineOptions, deps: LineDeps): Promise<Line> {
  const own = await ownCertificate(deps.stateFolder)
  const { name, url, trust } = options
  const check =
    trust === null
      ? null
      : new ServerCheck({ trust, url, connection: name, folder: deps.stateFolder, log: deps.log })
  const serverCertificate = check === null ? null : await findCertificate(options, own, check)
  const client = OPCUAClient.create({
    ...commonOptions(options, own),
    securityMode: modes[options.security],
    securityPolicy: check === null ? SecurityPolicy.None : policies[options.policy],
    ...(serverCertificate === null ? {} : { serverCertificate }),
    clientCertificateManager: createStore((certificate) => check?.check(certificate) ?? Promise.resolve()),
    // After the first connection the library restores a broken session itself; the driver gives it some time.
    connectionStrategy: { maxRetry: 1, initialDelay: 100, maxDelay: 2_000 },
    keepSessionAlive: true,
    keepAliveInterval: options.timeoutMs,
    requestedSessionTimeout: sessionMs,
  })
  try {
    const work = async (): Promise<Line> => {
      await client.connect(url)
      const identity = await identityOf(options.user, deps.configFolder)
      const session = (await client.createSession(identity)) as OpcUaSession
      const namespaces = await session.readNamespaceArray()
      if (serverCertificate !== null) await check?.keep(serverCertificate)
      return { client, session, namespaces, close: () => hangUp(client) }
    }
    return await within(4 * options.timeoutMs, work())
  } catch (error) {
    void hangUp(client)
    throw error
  }
}

function commonOptions({ timeoutMs }: OpcUaOptions, own: OwnCertificate): OPCUAClientOptions {
  return {
    applicationName: 'Busbar agent',
    applicationUri: own.applicationUri,
    clientName: 'Busbar agent',
    // Behind a router a server is reached by another name than the one it knows.
    endpointMustExist: false,
    transportTimeout: timeoutMs,
    defaultTransactionTimeout: timeoutMs,
    certificateKeyPairProvider: {
      getCertificate: () => own.certificate,
      getCertificateChain: () => [own.certificate],
      getPrivateKey: () => own.privateKey,
    },
  }
}

/** The trusted certificate of the endpoint with the wanted security. */
async function findCertificate(
  options: OpcUaOptions,
  own: OwnCertificate,
  check: ServerCheck,
): Promise<Buffer> {
  const client = OPCUAClient.create({
    ...commonOptions(options, own),
    clientCertificateManager: createStore(async () => undefined),
    connectionStrategy: { maxRetry: 0 },
  })
  let endpoints: EndpointDescription[]
  try {
    endpoints = await within(
      3 * options.timeoutMs,
      client.connect(options.url).then(() => client.getEndpoints()),
    )
  } finally {
    await hangUp(client)
  }
  const endpoint = endpoints.find(
    ({ securityMode, securityPolicyUri }) =>
      securityMode === modes[options.security] && securityPolicyUri === policies[options.policy],
  )
  if (!endpoint?.serverCertificate?.length) {
    const offered = [...new Set(endpoints.map(formatEndpoint))].join(', ')
    throw new Error(
      `the server does not offer ${options.security} with ${options.policy}; it offers ${offered || 'nothing'}`,
    )
  }
  const certificate = new X509Certificate(endpoint.serverCertificate).raw
  await check.check(certificate)
  return certificate
}

function formatEndpoint({ securityMode, securityPolicyUri }: EndpointDescription): string {
  if (securityMode === MessageSecurityMode.None) return 'none'
  return `${MessageSecurityMode[securityMode]} with ${securityPolicyUri?.replace(/^.*#/, '') ?? '?'}`
}

async function identityOf(user: OpcUaUser, folder: string): Promise<UserIdentityInfo> {
  switch (user.kind) {
    case 'anonymous':
      return { type: UserTokenType.Anonymous }
    case 'name': {
      const password =
        user.passwordFile === undefined
          ? (user.password ?? '')
          : (await readFile(resolve(folder, user.passwordFile), 'utf8')).replace(/\r?\n$/, '')
      return { type: UserTokenType.UserName, userName: user.name, password }
    }
    case 'certificate': {
      const [certificate, privateKey] = await Promise.all([
        readFile(resolve(folder, user.certificateFile)),
        readFile(resolve(folder, user.keyFile), 'utf8'),
      ])
      return {
        type: UserTokenType.Certificate,
        certificateData: new X509Certificate(certificate).raw,
        privateKey,
      }
    }
  }
}

async function hangUp(client: OPCUAClient): Promise<void> {
  await within(goodbyeMs, client.disconnect()).catch(() => undefined)
}

/** Rejects if `work` takes longer; its later result is ignored. */
export function within<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('no answer in time')), ms)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
