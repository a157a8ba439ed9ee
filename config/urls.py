"""Every address of the site."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.views import LogoutView
from django.urls import include, path
from drf_spectacular.views import SpectacularJSONAPIView, SpectacularSwaggerSplitView

from config.guide import guide, site_guide
from config.health import healthz, readyz
from games.api.base import NothingApi
from games.pages.accounts import SignIn

handler500 = "config.errors.server_error"

urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("ui/", guide, name="guide"),
    path("ui/site/", site_guide, name="guide-of-site"),
    path("ui/<slug:variant>/", guide, name="guide-of"),
    path("admin/", admin.site.urls),
    path("accounts/login/", SignIn.as_view(), name="login"),
    path("accounts/logout/", LogoutView.as_view(), name="logout"),
    path("api/v1/openapi.json", SpectacularJSONAPIView.as_view(), name="openapi"),
    path(
        "api/v1/docs/",
        SpectacularSwaggerSplitView.as_view(
            url_name="openapi", template_name="config/api_docs.html"
        ),
        name="api-docs",
    ),
    path("api/v1/", include("games.api.urls")),
    path("api/v1/", include("tournaments.api.urls")),
    path("api/v1/<path:rest>", NothingApi.as_view()),
    path("", include("games.urls")),
    path("", include("tournaments.urls")),
]
