import { refusals } from './error-kind.ts'

/** Configuration of agents. */
export const agentConfigErrors = refusals({
  AGENT_AWAY: {
    cn: '采集程序未连接，或隧道未打开，请稍后重试',
    en: 'The agent isn’t connected, or its tunnel isn’t open. Try again later.',
  },
  AGENT_CONFIG_OFF: {
    cn: '该设备的采集程序未开启远程配置（配置文件中没有 remote: drivers）',
    en: 'The agent of this device doesn’t allow remote configuration: its configuration file has no “remote: drivers”.',
  },
  AGENT_CONFIG_BUSY: {
    cn: '上一次修改仍在试运行，请一分钟后重试',
    en: 'Another change is still being tried. Try again in a minute.',
  },
  AGENT_CONFIG_WRONG: {
    cn: '采集程序不接受该配置，请按提示修改',
    en: 'The agent doesn’t accept this configuration. Correct the fields listed.',
  },
  CONTROLLER_FAILED: {
    cn: '控制器没有响应，或拒绝读取',
    en: 'The controller didn’t answer, or refused the request',
  },
  AGENT_OLD: {
    cn: '该设备的采集程序版本较旧，不支持此功能，请先升级',
    en: 'The agent of this device is too old for this. Update it first.',
  },
  SCAN_NETWORK: {
    cn: '采集程序的配置文件不允许搜索该网段，或该网段超过 1024 个地址',
    en: 'The agent’s configuration file doesn’t allow this network, or it has more than 1,024 addresses',
  },
  SCAN_RUNNING: {
    cn: '正在搜索，请等待完成',
    en: 'A scan is already running. Wait until it ends.',
  },
  AGENT_CONFIG_CHANGED: {
    cn: '配置已被更新，请重新加载后再修改',
    en: 'The configuration has changed. Reload the page, then make your changes again.',
  },
})
