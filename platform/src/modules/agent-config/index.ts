/** Configuration of machines' agents from the platform. */
export { createAgentConfigModule } from './agent-config-module.ts'
