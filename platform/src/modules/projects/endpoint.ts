import { type projects as contract, type onboarding, projectData } from '@busbar/contract'

/** Where the data of a project can be fetched: by MQTT with its number as user name, and by HTTP. */
export const endpointOf = (
  projectId: number,
  origin: string,
  { host, mqttPort, mqttsPort, webSocketUrl }: onboarding.MachineAddresses,
): contract.ProjectEndpoint => ({
  mqtt: {
    host,
    port: mqttPort,
    tlsPort: mqttsPort,
    wsUrl: webSocketUrl,
    username: String(projectId),
    topicUp: `data/${projectId}/#`,
    topicDown: `cmd/${projectId}/#`,
  },
  http: { url: origin + projectData.pullRows.path },
})
