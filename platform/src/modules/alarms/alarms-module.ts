import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import { alarmsRoutes } from './alarms-routes.ts'

/** Alarms of machines. */
export function createAlarmsModule({ db, facts }: Kernel): Module {
  return { name: 'alarms', roles: ['api', 'edge'], routes: alarmsRoutes({ db, facts }) }
}
