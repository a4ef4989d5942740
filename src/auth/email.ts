/** Longest address that is accepted, in UTF-16 code units. */
export const EMAIL_MAX_LENGTH = 320;

/** One at sign, and nothing that has a meaning of its own in the header of a mail. */
const EMAIL = /^[^\s\p{C}@<>(),;:"[\]\\]+@[^\s\p{C}@<>(),;:"[\]\\]+$/u;

/**
 * The one rule for what an email address is, in tokens and in requests: whoever has a token can be
 * invited by its address.
 */
export const isEmail = (text: string): boolean =>
  text.length <= EMAIL_MAX_LENGTH && EMAIL.test(text);

/** The domain of the addresses that services get; RFC 2606 keeps `.invalid` free of real mail. */
const SERVICE_DOMAIN = 'service.invalid';

/** The address of a service, which has none of its own. @param id our id of the service */
export const serviceAddress = (id: string): string => `${id}@${SERVICE_DOMAIN}`;

/** True for an address that only a service has, in any letter case or width. */
export const isServiceAddress = (email: string): boolean =>
  email.normalize('NFKC').toLowerCase().endsWith(`@${SERVICE_DOMAIN}`);
