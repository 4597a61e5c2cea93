import { accountScreens } from './account-screens.ts'
import { agentConfigScreens } from './agent-config-screens.ts'
import { alarmLinkScreens } from './alarm-link-screens.ts'
import { alarmRuleScreens } from './alarm-rule-screens.ts'
import { alarmScreens } from './alarm-screens.ts'
import { backOfficeScreens } from './back-office-screens.ts'
import { boardScreens } from './board-screens.ts'
import { connectScreens } from './connect-screens.ts'
import { consoleScreens } from './console-screens.ts'
import { downloadsScreens } from './downloads-screens.ts'
import { enterpriseScreens } from './enterprise-screens.ts'
import { explorerScreens } from './explorer-screens.ts'
import { exportScreens } from './export-screens.ts'
import { machineMapScreens } from './machine-map-screens.ts'
import { machineScreens } from './machine-screens.ts'
import { messageScreens } from './message-screens.ts'
import { notificationScreens } from './notification-screens.ts'
import { pageScreens } from './page-screens.ts'
import { projectScreens } from './project-screens.ts'
import { reportScreens } from './report-screens.ts'
import { retentionScreens } from './retention-screens.ts'
import { scheduledReportScreens } from './scheduled-report-screens.ts'
import type { Screen } from './screen.ts'
import { simScreens } from './sim-screens.ts'
import { siteScreens } from './site-screens.ts'
import { tagScreens } from './tag-screens.ts'
import { visitScreens } from './visit-screens.ts'

/** Every screen of the product, for its pictures and for its faults. */
export const everyScreen: readonly Screen[] = [
  ...consoleScreens,
  ...accountScreens,
  ...enterpriseScreens,
  ...backOfficeScreens,
  ...visitScreens,
  ...pageScreens,
  ...machineMapScreens,
  ...machineScreens,
  ...messageScreens,
  ...alarmScreens,
  ...alarmRuleScreens,
  ...alarmLinkScreens,
  ...notificationScreens,
  ...boardScreens,
  ...siteScreens,
  ...simScreens,
  ...scheduledReportScreens,
  ...explorerScreens,
  ...exportScreens,
  ...reportScreens,
  ...projectScreens,
  ...retentionScreens,
  ...agentConfigScreens,
  ...connectScreens,
  ...downloadsScreens,
  ...tagScreens,
]
