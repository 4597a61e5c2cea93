import { isHttps } from '../config.ts'
import type { EdgeLink } from '../edge-link/edge-link.ts'
import { ownOriginOf } from '../kernel/http/authenticate.ts'
import { createProxyTrust } from '../kernel/http/client-address.ts'
import type { HostSite } from '../kernel/http/web-port.ts'
import type { Kernel } from '../kernel/kernel.ts'
import type { Module } from '../kernel/module.ts'
import type { AccessPort } from '../modules/access/index.ts'
import type { AccountsModule } from '../modules/accounts/index.ts'
import type { BrandsModule } from '../modules/brands/index.ts'
import type { VisitAddress, VisitsModule } from '../modules/visits/index.ts'
import { registerAuthorize } from './authorize-route.ts'
import { type VisitRules, visitRules } from './rules.ts'
import { createVisitHost } from './visit-host.ts'

export interface VisitHostModule extends Module {
  readonly site: HostSite
}

interface Deps {
  readonly access: AccessPort
  readonly accounts: AccountsModule
  readonly brands: BrandsModule
  readonly visits: VisitsModule
  readonly link: EdgeLink
  readonly address: VisitAddress
  /** For a test that shows that each rule is needed. */
  readonly rules: Partial<VisitRules> | undefined
}

/** The machines' pages, and the console's page that leads into them. */
export function createVisitHostModule(kernel: Kernel, deps: Deps): VisitHostModule {
  const { config, limits, logger, now } = kernel
  const { address, accounts } = deps
  const brands = deps.brands.directory
  const publicOrigin = config.PUBLIC_URL ? new URL(config.PUBLIC_URL).origin : undefined
  const shared = {
    address,
    visitPort: deps.visits.visits.visitPort,
    https: isHttps(config),
    brandNameOf: (host: string | undefined) => brands.find(host).platformName,
    limits,
    now,
  }
  return {
    name: 'visitHost',
    roles: ['visits'],
    site: createVisitHost({
      ...shared,
      link: deps.link,
      logger,
      addressOf: createProxyTrust(config.TRUSTED_PROXIES),
      rules: deps.rules,
    }),
    serve: (app) =>
      registerAuthorize(app, {
        ...shared,
        rules: { ...visitRules, ...deps.rules },
        ownOriginOf: (request) => ownOriginOf(request, { brands }, publicOrigin),
        findSession: (token, at, host) => accounts.findSession(token, at, brands.find(host).id),
        machineOfCode: deps.access.machineOfCode,
      }),
  }
}
