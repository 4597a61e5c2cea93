/** Texts of devices that somebody is asked to take over with an enterprise. */
export const handover = {
  incoming: (from: string, enterprise: string, n: number) =>
    `${from} 请您接收企业“${enterprise}”的 ${n} 台设备`,
  incomingHint: (until: string) => `企业注销后，设备归接收方所有。${until} 前有效。`,
  accepted: (enterprise: string) => `已同意接收企业“${enterprise}”的设备`,
  refused: '已拒绝接收',
}
