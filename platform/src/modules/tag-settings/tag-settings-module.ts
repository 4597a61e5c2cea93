import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import type { AccessPort } from '../access/index.ts'
import type { MessagesModule } from '../messages/index.ts'
import type { TelemetryModule } from '../telemetry/index.ts'
import { tagSettingsRoutes } from './tag-settings-routes.ts'

interface Deps {
  readonly access: AccessPort
  readonly messages: MessagesModule
  readonly telemetry: TelemetryModule
}

/**
 * The settings that the keys of a machine make for its tags: names, units, digits, limits, texts of values, and write
 * access.
 */
export function createTagSettingsModule(kernel: Kernel, { access, messages, telemetry }: Deps): Module {
  const { db, bus, facts } = kernel
  const rights = { db, bus, facts, mailbox: messages.mailbox, access }
  return {
    name: 'tagSettings',
    roles: ['api'],
    routes: tagSettingsRoutes({ rights, telemetry: telemetry.store }),
  }
}
