import type { FastifyInstance } from 'fastify'
import { poolStats } from '../database/database.ts'
import type { Kernel } from '../kernel.ts'
import { gauge, RequestMeter } from '../metrics/index.ts'
import type { Module } from '../module.ts'
import type { Role } from '../roles.ts'
import { registerBindings } from './api.ts'
import { registerApiDocument } from './api-document.ts'
import { Certificates, expiryGauge } from './certificates.ts'
import { createProxyTrust, createSecureCheck } from './client-address.ts'
import { type BrandFace, registerConsole } from './console-files.ts'
import type { Guards } from './guards.ts'
import { registerHealth } from './health-routes.ts'
import { createLoadGates } from './load-gate.ts'
import { registerSecurityContact } from './security-contact.ts'
import { createHttpServer } from './server.ts'
import { registerUpgrades, type Upgrades } from './upgrades.ts'
import { type HostSite, WebPort } from './web-port.ts'

/** The handlers of the web port. */
export interface Answers {
  /** The modules that run in this process. */
  readonly modules: readonly Module[]
  readonly roles: readonly Role[]
  readonly guards: Guards
  /** The machines' pages. */
  readonly site: HostSite
  readonly upgrades: Omit<Upgrades, 'addressOf' | 'limits'>
  /** The folder of the built console. */
  readonly dist: string
  /** The brand of a Host header, as pages show it. */
  findFace(host: string | undefined): BrandFace
  /** Whether every module has started and none is being stopped. */
  isReady(): boolean
}

export interface WebModule extends Module {
  /** The console's server. */
  readonly app: FastifyInstance
  /** Undefined without TLS_CERT_FILE. */
  readonly certificates: Certificates | undefined
  /** Gives the port its answers; call it once, before `open`. */
  answer(answers: Answers): Promise<void>
}

/** The web port; `ownsName` distinguishes a TLS name of a machine's page from one of a console. */
export async function createWebModule(
  kernel: Kernel,
  ownsName: (name: string) => boolean,
): Promise<WebModule> {
  const { config, logger, limits, pools, ports, now } = kernel
  const certificates = Certificates.open(config, logger, ownsName)
  const port = new WebPort(createSecureCheck(config.TRUSTED_PROXIES), certificates)
  const meter = new RequestMeter()
  const app = await createHttpServer(config, logger, port, meter)
  /** Work that other nodes have taken over. */
  let left: ReadonlySet<Role> = new Set()
  let closed: Promise<unknown> | undefined

  function missing({ modules, isReady }: Answers): string[] {
    const unwell = modules.flatMap(({ health = [] }) => health).filter((check) => !check.isWell())
    return [...(isReady() ? [] : ['start']), ...unwell.map(({ name }) => name)]
  }

  return {
    name: 'web',
    roles: ['api', 'edge', 'realtime', 'visits'],
    app,
    certificates,
    async answer(answers) {
      const { modules, roles, guards, site, upgrades, dist, findFace } = answers
      const bindings = modules.flatMap(({ routes = [] }) => routes)
      const loads = createLoadGates({
        history: poolStats(pools.history).max,
        lists: poolStats(pools.lists).max,
      })
      registerBindings(app, bindings, guards, limits, config, now, loads)
      for (const module of modules) module.serve?.(app, limits)
      registerHealth(app, { missing: () => missing(answers) }, limits)
      registerSecurityContact(app, config, limits, now)
      registerApiDocument(app, limits)
      if (roles.includes('api')) await registerConsole(app, dist, findFace)
      if (roles.includes('visits')) port.serve(site)
      registerUpgrades(
        port,
        { ...upgrades, addressOf: createProxyTrust(config.TRUSTED_PROXIES), limits },
        (role) => {
          if (left.has(role)) return 'left'
          return roles.includes(role) ? 'own' : 'other'
        },
      )
    },
    async open({ web }) {
      await app.listen({ port: web, host: config.HOST })
      const address = app.server.address()
      ports.web = typeof address === 'object' && address ? address.port : web
      return { webPort: ports.web }
    },
    leave(_, roles) {
      left = roles
    },
    drain(patienceMs) {
      closed = app.close()
      return port.drain(patienceMs)
    },
    async stop() {
      port.server.closeAllConnections()
      await closed
      certificates?.close()
    },
    metrics: () => [
      gauge('busbar_http_requests_in_flight', 'Requests being answered', [
        { labels: { site: 'console' }, value: port.inFlight.console },
        { labels: { site: 'visits' }, value: port.inFlight.site },
      ]),
      ...meter.collect(),
      ...(certificates ? [expiryGauge(certificates.expiries)] : []),
    ],
    figures: () => ({ requestsInFlight: port.inFlight.console + port.inFlight.site }),
  }
}
