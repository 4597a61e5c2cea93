import { refusals } from './error-kind.ts'

/** Configuration of agents. */
export const agentConfigErrors = {
  ...refusals({
    AGENT_AWAY: {
      cn: '采集程序未连接，或未开启通道，请稍后重试',
      en: 'The agent isn’t connected, or has no tunnel. Try again later.',
    },
    AGENT_CONFIG_OFF: {
      cn: '该设备的采集程序不允许从平台配置（其配置文件中没有 remote: drivers）',
      en: 'The agent of this device can’t be configured from here: its file has no “remote: drivers”.',
    },
    AGENT_CONFIG_BUSY: {
      cn: '上一次变更尚未结束，请稍后再试',
      en: 'Another change hasn’t ended yet. Try again in a minute.',
    },
    AGENT_CONFIG_WRONG: {
      cn: '采集程序不接受该配置，请按提示修改',
      en: 'The agent doesn’t accept this configuration. Correct what it names.',
    },
    CONTROLLER_FAILED: {
      cn: '控制器没有回应，或拒绝了读取',
      en: 'The controller didn’t answer, or refused.',
    },
  }),
  AGENT_CONFIG_CHANGED: {
    http: 409,
    hwcode: 409,
    hwreason: 'AGENT_CONFIG_CHANGED',
    text: {
      cn: '配置已有更新的版本，请先查看再修改',
      en: 'There is a newer version of the configuration. Look at it first.',
    },
  },
}
