import { ModelHostNotAllowedError } from './modelErrors';

/** Names the hosts that may get a key, set by the person and never by a repository. */
const allowedHostsVariable = 'HARNESSMITH_MODEL_HOSTS';

export interface KeyRequest {
  /** The environment variable that holds the key. */
  variable: string;
  /** Where the key would be sent. */
  address: string;
  /** The provider's own service. */
  publicAddress: string;
  env: Record<string, string | undefined>;
}

/**
 * The value of an environment variable, as a key for an address; undefined when it is not set. Variable and address may
 * both be the words of a repository, so the address must be the provider's own service, this machine, or a host that
 * the person named in HARNESSMITH_MODEL_HOSTS (host names, or host:port, with commas between).
 * @throws ModelHostNotAllowedError for any other address, whether the variable is set or not
 */
export function keyFromEnvironment({ variable, address, publicAddress, env }: KeyRequest): string | undefined {
  const target = new URL(address);
  const isAllowed =
    target.origin === new URL(publicAddress).origin ||
    isLoopback(target.hostname) ||
    allowedHosts(env).some((host) => host === target.hostname || host === target.host);
  if (!isAllowed) throw new ModelHostNotAllowedError(target.hostname, variable, allowedHostsVariable);
  return env[variable];
}

/** True for this machine. The URL parser has made every spelling of an IPv4 address the usual one. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

function allowedHosts(env: KeyRequest['env']): string[] {
  return (env[allowedHostsVariable] ?? '')
    .split(',')
    .map((host) => host.trim().toLowerCase())
    .filter((host) => host !== '');
}
