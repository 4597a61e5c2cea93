import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import type { MessagesModule } from '../messages/index.ts'
import type { TelemetryModule } from '../telemetry/index.ts'
import { tagSettingsRoutes } from './tag-settings-routes.ts'

interface Deps {
  readonly messages: MessagesModule
  readonly telemetry: TelemetryModule
}

/**
 * The settings that the keys of a machine make for its tags: names, units, digits, limits, texts of values, and write
 * access.
 */
export function createTagSettingsModule(kernel: Kernel, { messages, telemetry }: Deps): Module {
  const { db, bus, facts, config } = kernel
  const rights = { db, bus, facts, mailbox: messages.mailbox, demo: config.BUSBAR_DEMO }
  return {
    name: 'tagSettings',
    roles: ['api'],
    routes: tagSettingsRoutes({ rights, telemetry: telemetry.store }),
  }
}
