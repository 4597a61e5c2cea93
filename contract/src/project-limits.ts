/** Limits of projects and their destinations (rules/projects.md). */
export const projectLimits = {
  nameMax: 20,
  descriptionMax: 50,
  projectsPerOwner: 100,
  members: 200,
  machines: 5_000,
  destinations: 10,
  origins: 20,
  reportingServers: 100,
  /** Groups and variables that a project names. */
  variables: 1_000,
  /** Rows a month of each machine. */
  rowsPerMachine: 100_000,
  /** Seconds between two rows of a machine; 0: each change. */
  everySMax: 3_600,
  everySDefault: 30,
  lanesMax: 8,
  destinationNameMax: 20,
  urlMax: 2_048,
  /** Of a topic pattern of a broker, in characters. */
  topicMax: 200,
  sparkplugNameMax: 64,
  clientIdMax: 64,
  brokerUserMax: 256,
  brokerPasswordMax: 1_024,
  /** Certificates or a key, in characters. */
  pemMax: 16_384,
  /** Rows in one request to a destination. */
  requestRows: 1_000,
  /** Rows that one call answers. */
  pulledRows: 10_000,
  pullWaitSMax: 10,
  /** Days of history that one reading covers. */
  historyDays: 31,
  /** Days that deliveries are listed for. */
  deliveryDays: 30,
} as const
