/** Limits of the MQTT endpoint (rules/wire.md: connections). */
export const gatewayLimits = {
  /** A packet with its header. JSON is refused above 256 kB; a birth of 5,000 tags with their properties needs more. */
  packetBytesMax: 2 * 1024 * 1024,
  /** Before anybody has logged in. */
  connectBytesMax: 16 * 1024,
  connectMsMax: 10_000,
  /** Publishes of one connection whose commit is awaited: above it the socket is paused. */
  inflightMax: 1_000,
  inflightBytesMax: 1024 * 1024,
  /** A client that does not read its acknowledgements is cut. */
  outboundBytesMax: 1024 * 1024,
  /** Packets read of one connection in a turn of the event loop; pings count as packets. */
  turnPacketsMax: 64,
  turnBytesMax: 64 * 1024,
  /** Above it a Sparkplug message is read over several turns: about 500 metrics. */
  readAtOnceBytesMax: 32 * 1024,
  /** Such messages that are read and stored at the same time, of all connections; as many short ones that unfold. */
  longMessagesMax: 8,
  /** Such messages that wait or are in hand; above it one is read at once. */
  longMessagesBytesMax: 256 * 1024 * 1024,
  /** Messages of QoS 1 to a client that it has not acknowledged, and more that wait for that. */
  outboundInflightMax: 16,
  outboundWaitingMax: 64,
  /** Rows on their way to a client of a project, and their bytes; connections of a project at one process. */
  rowsInflightMax: 100,
  rowsBytesMax: 512 * 1024,
  /** Above it a project's client that does not read is cut: one row may be long. */
  rowsOutboundBytesMax: 16 * 1024 * 1024,
  projectConnectionsMax: 20,
  filtersPerConnectionMax: 32,
  /** Filters of one SUBSCRIBE or UNSUBSCRIBE. */
  filtersPerPacketMax: 1_024,
  connectionsMax: 20_000,
  /** Connections that have not signed in, in all and from one address (an IPv6 /64). */
  newcomersMax: 2_000,
  newcomersPerAddressMax: 200,
  /** Values a second of one machine, unless MACHINE_VALUES_PER_SECOND is set. */
  machineValuesPerS: 20_000,
  /** Messages remembered to recognise those that are sent again: in all, of one machine, and for how long. */
  knownMessagesMax: 200_000,
  knownMessagesPerMachineMax: 2_000,
  knownMessageMsMax: 10 * 60_000,
  /** Packets that have not come whole, of all connections together. */
  unfinishedBytesMax: 256 * 1024 * 1024,
  /** Silence allowed, as a multiple of the client's keep-alive (MQTT-3.1.2-22). */
  keepAliveFactor: 1.5,
  sweepMs: 1_000,
} as const
