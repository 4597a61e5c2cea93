import type { Kernel } from '../kernel/kernel.ts'
import type { Module } from '../kernel/module.ts'
import type { RealtimeModule } from './realtime-module.ts'
import { SharedAttendance } from './shared-attendance.ts'

export interface AttendanceModule extends Module {
  readonly attendance: SharedAttendance
}

/** Publishes to the processes of visits which of them have their bar on a page, whichever process holds that page. */
export function createAttendanceModule(
  { bus, node, logger }: Pick<Kernel, 'bus' | 'node' | 'logger'>,
  { realtime }: { readonly realtime: RealtimeModule },
): AttendanceModule {
  const attendance = new SharedAttendance({ bus, logger, nodeId: node.id, local: realtime.hub.attendance })
  return {
    name: 'attendance',
    roles: ['api', 'realtime', 'visits'],
    attendance,
    start: () => attendance.start(),
    stop: () => attendance.stop(),
  }
}
