"""Global–local attention: a long input read locally, and a short one."""
