"""The whole put together: settings, addresses, the Celery app, the local stack."""
