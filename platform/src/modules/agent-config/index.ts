/** Configuration of machines' agents from the platform. */
export { createAgentConfigModule } from './agent-config-module.ts'
export { askState, readDocument } from './agent-config-service.ts'
export { type AgentAnswer, askAgent } from './ask-agent.ts'
